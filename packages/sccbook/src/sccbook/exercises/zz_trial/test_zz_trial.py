"""A bank of answers to the exercise ``zz_trial``; test_exercises.py says what it is for."""

# Wrong answers by the finding that each should get: the name of a misconception, which needs at
# least one, or a general one (raises, returns_none, shape_changed, wrong, ...).
WRONG = {
    "adds": [lambda a, x: a + x, lambda a, x: x + a],
    "unchanged": [lambda a, x: x],
    "raises": [lambda a: a],
}

# Right answers, as different from each other as readers write them, with a few words for each.
RIGHT = {
    "a product": lambda a, x: a * x,
    "divided by the inverse": lambda a, x: x / (1 / a),
}
