"""Scale, clip and constrain gradients, and see what each does.

The library behind the book *Scale, Clip, Constrain*: `gradlab.ops` has the operators,
`gradlab.unroll` dynamics unrolled in time, `gradlab.figures` the book's figures,
`gradlab.figure` what makes one of your own, `gradlab.exercises` the checks of the exercises.
"""

import sys
from typing import Any


def _show_ledgers_as_figures() -> None:
    """Have IPython, where it runs, draw a ledger that is displayed.

    A ledger is data and imports no figure, so what draws it is named here and imported when the
    first one is shown.
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return

    def draw(ledger: Any) -> Any:
        from gradlab.figures import MeasuredLedger

        return MeasuredLedger.display(ledger)

    formatter = shell.display_formatter.mimebundle_formatter
    formatter.for_type_by_name("gradlab.unroll._ledger_type", "Ledger", draw)


_show_ledgers_as_figures()
