"""Grades a class: each notebook in a sandbox, each answer judged outside of it."""
