"""Figures whose pages run the very program that JAX traced."""

from gradlab.explorables.capped_columns import CappedColumns
from gradlab.explorables.cliff import Cliff
from gradlab.explorables.clipped_cloud import ClippedCloud
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
from gradlab.explorables.jacobian_products import JacobianProducts
from gradlab.explorables.linked_ledger import LinkedLedger
from gradlab.explorables.meeting_streams import MeetingStreams
from gradlab.explorables.optimizer_sees import OptimizerSees
from gradlab.explorables.prediction import Prediction
from gradlab.explorables.reported_tangent import ReportedTangent
from gradlab.explorables.tape import Tape
from gradlab.explorables.three_places import ThreePlaces
from gradlab.explorables.two_paths import TwoPaths
from gradlab.explorables.unrolled_flow import UnrolledFlow
from gradlab.explorables.update_weights import UpdateWeights

__all__ = [
    "CappedColumns",
    "Choice",
    "Cliff",
    "ClippedCloud",
    "Integer",
    "JacobianProducts",
    "LinkedLedger",
    "LogRange",
    "MeetingStreams",
    "OptimizerSees",
    "Part",
    "Point",
    "Prediction",
    "Preset",
    "Range",
    "ReportedTangent",
    "SymlogRange",
    "Table",
    "Tape",
    "ThreePlaces",
    "Toggle",
    "TwoPaths",
    "UnrolledFlow",
    "UpdateWeights",
    "explore",
]
