"""The grader beside ``nbgrader autograde``."""

MEASURES = ("classroom/sccbook_classroom", "packages/sccbook/src/sccbook/exercises")
"""The paths that this benchmark measures."""
