"""Classifiers that learn from the weighted documents themselves."""
