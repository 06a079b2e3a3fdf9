"""Draw recordings and ledgers as figures. Importing this is enough for a notebook to do so.

>>> import scaleclip.figure
>>> figure = scaleclip.figure.of([0.3, 2.1, 0.8, 5.0], limit=1.0)
>>> print(f"{figure.value['share']:.0f} % of the steps are clipped")
50 % of the steps are clipped

It alone needs the engine that figures are made with. Without it both print as tables.
"""

import sys
from typing import Any

from scaleclip._extras import needed

with needed(__name__, "figure"):
    from scaleclip.figure.ledger import MeasuredLedger
    from scaleclip.figure.recording import RecordedNorms

from scaleclip.ledger import Ledger
from scaleclip.probe import Recording, load

__all__ = ["MeasuredLedger", "RecordedNorms", "of"]

FIGURES: tuple[tuple[type, Any], ...] = ((Recording, RecordedNorms), (Ledger, MeasuredLedger))
"""The types of data, each with its figure."""


def of(data: Any, *, name: str = "", limit: float | None = None) -> Any:
    """Draw a recording, a ledger, or norms that were logged by other means.

    >>> import scaleclip.figure
    >>> figure = scaleclip.figure.of([0.3, 2.1, 0.8, 5.0], limit=1.0)
    >>> figure.limit
    1.0

    Norms are drawn on a logarithmic axis, with a limit to drag: the figure says what share of the
    steps the limit clips, and what part of all length it leaves. A ledger is drawn as a triangle,
    with a slider for its scale. The figure is a widget; ``figure.save_html(path)`` writes one file.

    Args:
      data: a ``Recording``, a ``Ledger``, a list of norms, or the path of a log.
      name, limit: as in ``scaleclip.probe.load``; a ledger has neither.

    Raises:
      ValueError: if fewer than two norms are finite and above 0, the ledger is traced or batched,
        or norms can't be loaded.
    """
    if isinstance(data, Ledger):
        return MeasuredLedger(data)
    return RecordedNorms(load(data, name=name, limit=limit))


def _register() -> None:
    """Have IPython, where it runs, draw such data where a cell displays it."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        formatter = shell.display_formatter.mimebundle_formatter
        for data, figure in FIGURES:
            formatter.for_type(data, figure.display)


_register()
