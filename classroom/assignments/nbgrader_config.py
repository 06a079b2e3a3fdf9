"""The course's settings for nbgrader: the one file that makes it grade in the sandbox.

A folder with this file and ``course.yml`` is an nbgrader course: all of nbgrader's commands, and its
formgrader in JupyterLab, work there.
"""

import os

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    LimitOutput,
    OverwriteKernelspec,
)

from sccbook_classroom.plugins import SandboxExecute, SavePoints, ShowPoints, TenthADay, safe, shown
from sccbook_classroom.restoring import RestoreCells

c = get_config()  # type: ignore[name-defined]  # noqa: F821

# The same numbers on every machine, and no complaint about a GPU.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

# ------------------------------------------------------------- what students receive

# Runs, and returns nothing, where nbgrader's own stub raises: "Run all" gets to the end of a notebook
# in which one function is still missing, and each check says what it misses.
c.ClearSolutions.code_stub = {"python": "...  # your lines here, in place of the dots"}
c.ClearSolutions.text_stub = "_(write here)_"

# -------------------------------------------------------------------------- grading

# No code of a student runs in a kernel, or outside of the sandbox.
c.Autograde.sanitize_preprocessors = [
    RestoreCells,
    ClearOutput,
    OverwriteKernelspec,
    CheckCellMetadata,
]
c.Autograde.autograde_preprocessors = [
    SandboxExecute,
    LimitOutput,
    SavePoints,
    AssignLatePenalties,
    CheckCellMetadata,
]

# Where a due date is set (in the formgrader), a day that has begun after it costs a tenth of the
# points, five tenths at most. To take nothing off, delete this line.
c.AssignLatePenalties.plugin_class = TenthADay

# ------------------------------------------------------------------- students' pages

# What nobody has marked yet is no 0: nbgrader's page says "not marked yet".
c.GenerateFeedback.preprocessors = [ShowPoints, CSSHTMLHeaderPreprocessor]
# No script of a student runs in them.
c.HTMLExporter.filters = {"round": shown, "strip_files_prefix": safe}
