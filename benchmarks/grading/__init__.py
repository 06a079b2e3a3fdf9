"""The grader beside ``nbgrader autograde``."""

MEASURES = ("classroom/gradlab_classroom", "gradlab/exercises")
"""The paths that this benchmark measures."""
