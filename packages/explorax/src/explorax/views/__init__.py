"""Views: which results a figure draws, and as what. ``frontend/src/views`` has one module for each.

``frontend/VIEWS.md`` tells how to write one of your own.
"""

from explorax.views.base import ROLES, Role, Span, View
from explorax.views.chain import Chain
from explorax.views.history import History, Level
from explorax.views.listing import Line, Listing
from explorax.views.marks import Arc, Cloud, Dot, Image, Mark, Ring, Trail, Vector
from explorax.views.matrix import Matrix
from explorax.views.multiples import Multiples, Panels
from explorax.views.plane import Plane
from explorax.views.profile import Axis, Profile, Series, Threshold
from explorax.views.surface import Recorded, Surface, record

__all__ = [
    "ROLES",
    "Arc",
    "Axis",
    "Chain",
    "Cloud",
    "Dot",
    "History",
    "Image",
    "Level",
    "Line",
    "Listing",
    "Mark",
    "Matrix",
    "Multiples",
    "Panels",
    "Plane",
    "Profile",
    "Recorded",
    "Ring",
    "Role",
    "Series",
    "Span",
    "Surface",
    "Threshold",
    "Trail",
    "Vector",
    "View",
    "record",
]
