"""Chapters are compared with their stored outputs, which have no pictures: neither do the kernels'."""

import os

os.environ["EXPLORAX_OUTPUT"] = "text"
