"""The machine of a figure: its description, controls, words, and the object that a cell shows."""
