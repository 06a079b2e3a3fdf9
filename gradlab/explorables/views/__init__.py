"""Views: which results a figure draws, and as what. ``frontend/src/views`` has one module for each."""

from gradlab.explorables.views.base import ROLES, Role, Span, View
from gradlab.explorables.views.stream import Stream, Tangent

__all__ = ["ROLES", "Role", "Span", "Stream", "Tangent", "View"]
