"""Views: which results a figure draws, and as what. ``frontend/src/views`` has one module for each."""

from gradlab.explorables.views.base import ROLES, Role, Span, View
from gradlab.explorables.views.board import Board
from gradlab.explorables.views.chain import Chain
from gradlab.explorables.views.listing import Line, Listing
from gradlab.explorables.views.marks import Cloud, Dot, Image, Mark, Ring, Trail, Vector
from gradlab.explorables.views.matrix import Matrix
from gradlab.explorables.views.multiples import Multiples, Panels
from gradlab.explorables.views.plane import Plane, ball
from gradlab.explorables.views.profile import Axis, Profile, Series, Threshold, columns
from gradlab.explorables.views.stream import Stream, Tangent
from gradlab.explorables.views.surface import Recorded, Surface, record

__all__ = [
    "ROLES",
    "Axis",
    "Board",
    "Chain",
    "Cloud",
    "Dot",
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
    "Stream",
    "Surface",
    "Tangent",
    "Threshold",
    "Trail",
    "Vector",
    "View",
    "ball",
    "columns",
    "record",
]
