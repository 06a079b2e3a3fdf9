"""The grader beside `nbgrader autograde`."""
