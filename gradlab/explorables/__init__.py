"""Figures whose pages run the very program that JAX traced."""

from gradlab.explorables.reported_tangent import ReportedTangent
from gradlab.explorables.unrolled_flow import UnrolledFlow

__all__ = ["ReportedTangent", "UnrolledFlow"]
