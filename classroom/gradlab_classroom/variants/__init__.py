"""Graded exercises that stand nowhere: drawn from a seed that one person holds.

The public assignments and their solutions are for practice. ``python -m gradlab_classroom variants``
makes a set of others, in a folder that is to be kept private; see its README.
"""
