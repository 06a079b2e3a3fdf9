"""Keras's MaxNorm below the cap, against the proximal step of a group lasso."""
