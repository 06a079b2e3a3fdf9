"""The machine behind every figure: a JAX function, its controls, a view and words."""

from gradlab.figure.controls import (
    Choice,
    Integer,
    LogRange,
    Point,
    Range,
    SymlogRange,
    Toggle,
)
from gradlab.figure.explore import explore
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import Part, Preset, Table

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
