"""How text becomes terms: recipes, characters, stop words and stemmers."""
