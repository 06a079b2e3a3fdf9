"""Clips that turn the gradient, against the gradient itself, at matched step length."""
