"""nbgrader's settings for this course.

``make assignments`` makes release/ with them. To grade with nbgrader itself, copy this folder to where
you grade, and there, for each assignment, run ``nbgrader generate_assignment NAME --force``: it writes
the gradebook, from which autograding takes each test cell. Then put what was handed in into
submitted/STUDENT/NAME/, and run ``nbgrader autograde NAME`` and ``nbgrader generate_feedback NAME``.
"""

import os

c = get_config()  # type: ignore[name-defined]  # noqa: F821

# Kernels inherit it. The same numbers on every machine, and no complaint on stderr about a GPU.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

# ------------------------------------------------------------- what students receive

# Runs, and returns nothing, where nbgrader's own stub raises: "Run all" gets to the end of a notebook
# in which one function is still missing, and each check says what it misses.
c.ClearSolutions.code_stub = {"python": "...  # your lines here, in place of the dots"}
c.ClearSolutions.text_stub = "_(write here)_"

# -------------------------------------------------------------------------- grading

# A test cell that writes anything to stderr gets 0 points, and a right answer may: NumPy warns where
# a norm of 0 is divided by. An error is another kind of output, so nothing is hidden by this. The
# points come from the cell's value alone. The pattern is "anything": an empty one is not used.
c.IgnorePattern.enabled = True
c.IgnorePattern.pattern = r"(?s)."

# In seconds, for each cell. The default, 30, can be over before JAX is imported on a busy server.
c.Execute.timeout = 120

# Students delete cells. A test cell that is missing comes back from the gradebook, in its place; the
# function that it tests is found wherever it stands. (Where the cell of the answer is gone as well,
# nbgrader 0.9 has no place to put the test, and stops at this submission: it says so, and gives no
# points and no zero. `python -m gradlab_classroom grade` does not need the cells.)
c.OverwriteCells.add_missing_cells = True
