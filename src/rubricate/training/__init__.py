"""Choices inside the training set: candidates, trials on held-out folds, and the classifier that comes of them."""
