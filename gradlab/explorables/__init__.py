"""Figures whose pages run the very program that JAX traced."""

from gradlab.explorables.controls import (
    Choice,
    Integer,
    LogRange,
    Point,
    Range,
    SymlogRange,
    Toggle,
)
from gradlab.explorables.explorable import Part, Preset, Table
from gradlab.explorables.explore import explore
from gradlab.explorables.prediction import Prediction
from gradlab.explorables.reported_tangent import ReportedTangent
from gradlab.explorables.unrolled_flow import UnrolledFlow

__all__ = [
    "Choice",
    "Integer",
    "LogRange",
    "Part",
    "Point",
    "Prediction",
    "Preset",
    "Range",
    "ReportedTangent",
    "SymlogRange",
    "Table",
    "Toggle",
    "UnrolledFlow",
    "explore",
]
