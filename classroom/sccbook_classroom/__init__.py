"""Tools for teachers of *Scale, Clip, Constrain*: assignments, a grader, private sets, an inventory."""
