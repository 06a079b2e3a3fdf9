"""The commands of a teacher: ``python -m gradlab_classroom COMMAND``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

COMMANDS = {
    "grade": ("gradlab_classroom.grade", "grade a folder of submissions"),
    "variants": ("gradlab_classroom.variants.command", "make private sets of graded exercises"),
    "release": ("gradlab_classroom.release", "make, or check, what students receive"),
    "inventory": (
        "gradlab_classroom.inventory_command",
        "print the concept inventory, or score a class",
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status. Each has a ``--help`` of its own."""
    width = max(map(len, COMMANDS))
    parser = argparse.ArgumentParser(
        prog="python -m gradlab_classroom",
        description="For teaching with the book.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(f"  {name:<{width}}  {words}" for name, (_, words) in COMMANDS.items()),
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="...")
    given = parser.parse_args(arguments)
    # not at the top: a command needs what another does not
    status: int = import_module(COMMANDS[given.command][0]).main(given.rest)
    return status


if __name__ == "__main__":
    sys.exit(main())
