"""The commands of a teacher: ``python -m sccbook_classroom COMMAND``."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from sccbook_classroom.course import CourseError

COMMANDS = ("grade", "release", "inventory", "exam")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status, or exit with 2 and say which file is wrong."""
    parser = argparse.ArgumentParser(prog="python -m sccbook_classroom", description=__doc__)
    parser.add_argument("command", choices=COMMANDS, help="COMMAND --help says what it does")
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="...")
    given = parser.parse_args(arguments)
    # not at the top: each needs libraries that others don't
    try:
        status: int = import_module(f"sccbook_classroom.{given.command}").main(given.rest)
    except CourseError as error:
        parser.exit(2, f"{error}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
