"""The book's figures, each made once for all tests."""

import functools

from sccbook import figures


@functools.cache
def made(name):
    """Make a figure of the book, once for all tests."""
    return getattr(figures, name)()


def shown(name, **settings):
    """Show a figure at these settings, its other controls as they start."""
    figure = made(name)
    figure.set(**{control.name: control.initial for control in figure.spec.controls} | settings)
    return figure
