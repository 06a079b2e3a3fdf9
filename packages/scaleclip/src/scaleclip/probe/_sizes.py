"""How much a recorder keeps, in JAX and in PyTorch alike."""

KEEP = 4096
"""Steps that are kept: with 50 groups 0.8 MB."""

HISTORY = 1024
"""Rows of the whole run, thinned; a power of two.

Step n, counted from 0, is kept if it is a multiple of the stride. At step ``HISTORY * stride`` the
stride doubles, before the step is kept, and rows of other steps are free to be overwritten."""

FACTOR = 5.0
"""A spike's norm is more than this times the median of the norms before it.

A norm that is inf or NaN is no spike (the culprit has those), and is no part of a median. A step
right after one whose norm was so far above, spike or not, is the same event."""

BEFORE, LEAST = 100, 25
"""The median is of the finite norms of so many steps before, and of so many at least."""

WINDOW, SPIKES = 32, 16
"""Steps that are kept of a spike, itself included, and spikes that are kept: the last ones."""
