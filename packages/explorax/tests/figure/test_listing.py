"""A listing: its refusals, and the program that it writes."""

from __future__ import annotations

import jax.numpy as jnp
import pytest

from explorax.compiler import compile
from explorax.controls import Choice, Range
from explorax.views import Line, Listing

CONTROLS = (
    Choice("slot", "it stands", options=(("top", "top"), ("off", "nowhere"))),
    Range("s", "scale", "s", 0.0, 1.0, 0.5, 0.1),
)
LINES = (
    Line("for a in b:"),
    Line("  # top", slot="top"),
    Line("  pass"),
    Line("# off", slot="off"),
)
OUTPUTS = compile(lambda slot, s: {"total": jnp.where(slot == 0, s, 1.0)}, 0, 0.5).outputs


def listing(lines=LINES, moving="h = f(h, {s})", control="slot"):
    return Listing(lines=lines, moving=moving, control=control)


def test_listing_source_has_the_line_at_its_slot():
    assert listing().source("top", "h = f(h)") == "for a in b:\n  h = f(h)\n  pass\n"
    assert listing().source("off", "h = f(h)") == "for a in b:\n  pass\nh = f(h)\n"


def test_listing_with_matching_lines_is_accepted():
    listing().check(OUTPUTS, CONTROLS)


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (listing(lines=LINES[:3]), "places for top, but the options of 'slot' are top, off"),
        (listing(lines=(*LINES, Line("# top", slot="top"))), "expected one place for each"),
        (listing(control="s"), "a control of the kind 'range'; expected 'choice'"),
        (listing(control="place"), "'place', which is no control"),
        (listing(moving="h = f(h, {scale})"), "scale"),
        (listing(lines=(Line("x" * 37), *LINES)), "37 letters; expected 36 or fewer"),
        (listing(lines=(Line("x", part="norms"), *LINES)), "'norms', which is no result"),
    ],
)
def test_what_cannot_be_drawn_is_refused(view, message):
    with pytest.raises(ValueError, match=message):
        view.check(OUTPUTS, CONTROLS)
