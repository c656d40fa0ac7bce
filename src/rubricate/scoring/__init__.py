"""A fitted classifier as plain arrays: text to scores, probabilities, decisions and reasons, by numpy alone.

    from rubricate.scoring.predictor import Predictor
    predictor = Predictor.load("model.rub")
    predictor.decide(["corn and wheat harvest"])

Nothing of scipy, scikit-learn, Numba or Arrow is imported, so that one text is answered a quarter of a second after the start of
Python. Every operation is made in the order of the compiled loops, and gives the same floats. Predictions as files are here too.
"""
