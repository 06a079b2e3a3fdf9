"""Gradient norms of three small trainings, recorded with the probe."""
