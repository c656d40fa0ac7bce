"""Classifiers that learn from sums of weighted documents, label by label."""
