"""What an exercise is written with, to be imported from one place."""

import numpy as np

from sccbook.checking.comparisons import (
    Comparison,
    Function,
    Misconception,
    in_numpy,
    renamed,
)
from sccbook.checking.descriptions import describe
from sccbook.checking.findings import Case, Exercise, Finding, Mistake
from sccbook.checking.forms import (
    failed,
    leaves,
    require_a_loss,
    require_a_number,
    require_attempted,
    require_like,
    require_no_error,
    require_not_in_place,
    require_not_none,
    shape_of,
)
from sccbook.checking.naming import always, one_of
from sccbook.checking.plain_data import Other
from sccbook.checking.probes import (
    BACK,
    FAILED,
    TRACED,
    VALUE,
    Observation,
    Observations,
    map_arrays,
)
from sccbook.checking.properties import Flaw, Properties, Property, require_floats

Array = np.ndarray

__all__ = [
    "BACK",
    "FAILED",
    "TRACED",
    "VALUE",
    "Array",
    "Case",
    "Comparison",
    "Exercise",
    "Finding",
    "Flaw",
    "Function",
    "Misconception",
    "Mistake",
    "Observation",
    "Observations",
    "Other",
    "Properties",
    "Property",
    "always",
    "describe",
    "failed",
    "in_numpy",
    "leaves",
    "map_arrays",
    "one_of",
    "renamed",
    "require_a_loss",
    "require_a_number",
    "require_attempted",
    "require_floats",
    "require_like",
    "require_no_error",
    "require_not_in_place",
    "require_not_none",
    "shape_of",
]
