"""What every other package stands on: array types, ties, threads, folds, files. No word of text categorization in it."""
