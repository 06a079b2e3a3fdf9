"""``inventory``: print a form of the concept inventory, or score a class."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import yaml

from gradlab_classroom import responses
from gradlab_classroom.inventory import FORMS, as_markdown, read
from gradlab_classroom.paths import INVENTORY


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a form, or score a class; return 0, or 2 where that cannot be done."""
    parser = argparse.ArgumentParser(
        prog="python -m gradlab_classroom inventory",
        description="Twelve questions for before and after: print a form, or score a class.",
    )
    parser.add_argument("--inventory", type=Path, default=INVENTORY, help="default: %(default)s")
    commands = parser.add_subparsers(dest="command", required=True)
    printing = commands.add_parser("print", help="one form as Markdown, without the key")
    printing.add_argument("--form", choices=FORMS, required=True)
    scoring = commands.add_parser("score", help=f"a CSV with the columns {responses.HEADER}")
    scoring.add_argument("file", type=Path)
    scoring.add_argument("--json", type=Path, help="write the results to this file, too")
    given = parser.parse_args(arguments)
    try:
        inventory = read(given.inventory)
        if given.command == "print":
            sys.stdout.write(as_markdown(inventory, given.form))
            return 0
        answers = responses.read(given.file, len(inventory.forms["A"]))
        results = responses.score(inventory, answers)
        if given.json is not None:
            given.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    except (OSError, ValueError, yaml.YAMLError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(responses.as_table(results))
    return 0
