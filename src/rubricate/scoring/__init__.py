"""A fitted classifier as plain arrays: text to scores, probabilities, decisions and reasons; and predictions as files."""
