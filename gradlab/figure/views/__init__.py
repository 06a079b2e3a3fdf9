"""Views: which results a figure draws, and as what. ``frontend/src/views`` has one module for each."""

from gradlab.figure.views.base import ROLES, Role, Span, View
from gradlab.figure.views.chain import Chain
from gradlab.figure.views.history import History
from gradlab.figure.views.listing import Line, Listing
from gradlab.figure.views.marks import Arc, Cloud, Dot, Image, Mark, Ring, Trail, Vector
from gradlab.figure.views.matrix import Matrix
from gradlab.figure.views.multiples import Multiples, Panels
from gradlab.figure.views.plane import Plane, ball
from gradlab.figure.views.profile import Axis, Profile, Series, Threshold, columns
from gradlab.figure.views.surface import Recorded, Surface, record

__all__ = [
    "ROLES",
    "Arc",
    "Axis",
    "Chain",
    "Cloud",
    "Dot",
    "History",
    "Image",
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
    "ball",
    "columns",
    "record",
]
