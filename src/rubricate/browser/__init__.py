"""The page: a fitted classifier as one HTML file that sorts texts in the browser, without Python and without a network.

export       a fitted classifier to a file; what the file holds, and what leaving terms out or rounding weights changed
parts        what of a Predictor goes in, and what cannot, refused in a sentence
payload      arrays in as few bytes as they take without loss
characters, stemmers   what makes terms: the shipped Unicode tables; Snowball's stemmers, translated
self_check   texts with what Python says of them, which the page works out again when it is opened
page/        the page itself: plain JavaScript, an idea a file, put one behind the other
"""
