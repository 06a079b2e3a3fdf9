"""The parts of a figure: a JAX function, its controls, a view and words."""

from explorax.controls import (
    Choice,
    Integer,
    LogRange,
    Point,
    Range,
    SymlogRange,
    Toggle,
)
from explorax.figure.explore import explore
from explorax.figure.prediction import Prediction
from explorax.figure.spec import Part, Preset, Table

__all__ = [
    "Choice",
    "Integer",
    "LogRange",
    "Part",
    "Point",
    "Prediction",
    "Preset",
    "Range",
    "SymlogRange",
    "Table",
    "Toggle",
    "explore",
]
