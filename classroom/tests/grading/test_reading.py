"""A notebook is read whatever program stored it, and however it was damaged."""

from __future__ import annotations

import json
import time

import pytest
from gradlab_classroom.grading import reading
from gradlab_classroom.grading.reading import Unreadable, parsed, read

from classroom.tests.answers import AXIS, CAP, PLACES
from classroom.tests.notebooks_for_tests import (
    FOURTH,
    as_bytes,
    cells,
    code,
    notebook,
    of_colab,
    of_ipython_2,
    of_vs_code,
    with_output,
)
from classroom.tests.tiers import first_of

WHOLE = notebook(
    cells(FOURTH, [CAP["where"], AXIS["lists"], PLACES["by hand"]], words="It é."), FOURTH
)


def texts(document):
    return [(cell.code, cell.text.replace("\r\n", "\n").strip()) for cell in document.cells]


@pytest.mark.parametrize("form", [of_colab, of_vs_code, of_ipython_2])
def test_the_cells_are_the_same_whichever_program_stored_them(form):
    assert texts(parsed(as_bytes(form(WHOLE)))) == texts(parsed(as_bytes(WHOLE)))


def test_a_mark_of_the_byte_order_and_utf_16_are_read():
    text = json.dumps(WHOLE, ensure_ascii=False)
    for data in (text.encode("utf-8-sig"), text.encode("utf-16")):
        assert texts(parsed(data)) == texts(parsed(as_bytes(WHOLE)))


def test_wrong_letters_are_noted_and_do_no_harm():
    document = parsed(json.dumps(WHOLE, ensure_ascii=False).encode("latin-1"))
    assert len(document.cells) == len(WHOLE["cells"])
    assert "not in UTF-8" in document.notes[0]


def test_metadata_tell_the_assignment_and_nothing_else():
    assert parsed(as_bytes(WHOLE)).assignment == FOURTH
    strange = {**WHOLE, "metadata": {"gradlab": ["no mapping"], "kernelspec": 3}}
    assert parsed(as_bytes(strange)).assignment == ""


@pytest.mark.parametrize("cut", [100, 700, 1200])
def test_of_a_file_that_ends_too_early_every_whole_cell_is_saved(cut):
    data = as_bytes(WHOLE)[:-cut]
    document = parsed(data)
    whole = texts(parsed(as_bytes(WHOLE)))
    assert texts(document) == whole[: len(document.cells)]
    assert len(document.cells) >= len(whole) - 4
    assert "the file is damaged" in document.notes[0]


def test_a_cell_is_saved_whether_its_text_comes_first_or_last():
    first = [dict(sorted(cell.items(), reverse=True)) for cell in WHOLE["cells"]]
    for stored in (first, WHOLE["cells"]):
        data = as_bytes({**WHOLE, "cells": stored}).replace(b'"nbformat"', b"nbformat")
        assert texts(parsed(data)) == texts(parsed(as_bytes(WHOLE)))


@pytest.mark.parametrize("broken", ["ours", "theirs"])
def test_of_unmerged_changes_one_side_that_can_be_read_is_taken(broken):
    lines = as_bytes(notebook([code("mine = 1")])).decode().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if "mine = 1" in line)
    other = lines[at].replace("mine", "yours")
    sides = {"ours": lines[at], "theirs": other}
    sides[broken] = '"\n'
    conflict = f"<<<<<<< HEAD\n{sides['ours']}=======\n{sides['theirs']}>>>>>>> branch\n"
    document = parsed("".join([*lines[:at], conflict, *lines[at + 1 :]]).encode())
    assert document.cells[0].text == ("yours = 1" if broken == "ours" else "mine = 1")
    assert "unmerged changes" in document.notes[0]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"   \n", "nothing in the file but blanks"),
        (b"PK\x03\x04rest", "zip archive"),
        (b"%PDF-1.7", "a PDF"),
        (b"<!DOCTYPE html><p>", "a web page"),
        (b"import jax\nprint(1)\n", "not in the form of a notebook"),
        (b"[1, 2]", "top level is a list"),
        (b'{"metadata": {}}', "no list of cells"),
        (b'{"cells": {"0": 1}}', "no list of cells"),
        (b'{"cells": [3, null]}', "no cells with text"),
        (b"[" * 100_000, "not in the form of a notebook"),
        (b'{"cells": ' + b"[" * 100_000, "not in the form of a notebook"),
        (b'{"n": ' + b"9" * 10_000 + b"}", "not in the form of a notebook"),
    ],
)
def test_what_is_no_notebook_is_called_what_it_is(data, says):
    with pytest.raises(Unreadable, match=says):
        parsed(data)


def test_cells_of_a_strange_form_are_read_as_far_as_they_have_text():
    strange = [
        {"cell_type": "code", "source": ["a = 1\n", 3, None, "b = 2"]},
        {"cell_type": "code", "source": {"no": "text"}, "metadata": "none"},
        {"cell_type": "raw", "source": "raw"},
        {"source": "no kind"},
    ]
    document = parsed(as_bytes({"cells": strange}))
    assert texts(document) == [
        (True, "a = 1\nb = 2"),
        (True, ""),
        (False, "raw"),
        (False, "no kind"),
    ]


@pytest.mark.parametrize(
    ("name", "says"), [("x.py", "Python script"), ("x.zip", "not opened"), ("x.docx", ".docx file")]
)
def test_another_kind_of_file_is_named_as_such(tmp_path, name, says):
    (tmp_path / name).write_bytes(b"something")
    with pytest.raises(Unreadable, match=says):
        read(tmp_path / name)


def test_empty_and_too_large_files_and_links_are_refused_with_the_reason(tmp_path):
    path = tmp_path / "x.ipynb"
    path.touch()
    with pytest.raises(Unreadable, match="empty"):
        read(path)
    path.write_bytes(as_bytes(WHOLE))
    with pytest.raises(Unreadable, match="outputs cleared"):
        read(path, largest=100)
    (tmp_path / "link.ipynb").symlink_to(path)
    with pytest.raises(Unreadable, match="link"):
        read(tmp_path / "link.ipynb")


@pytest.mark.exhaustive
def test_a_large_file_is_read_in_a_process_of_its_own_without_its_outputs(tmp_path, monkeypatch):
    path = tmp_path / "x.ipynb"
    path.write_bytes(as_bytes(with_output(WHOLE, 11)))
    assert path.stat().st_size > reading.LARGE
    assert read(path) == parsed(as_bytes(WHOLE))
    path.write_bytes(b'{"cells": [' + b"[]," * 4_000_000 + b"[]]}")
    with pytest.raises(Unreadable, match="no cells with text"):
        read(path)


@pytest.mark.slow
def test_a_large_file_that_takes_all_memory_ends_by_itself(tmp_path, monkeypatch):
    path = tmp_path / "x.ipynb"
    path.write_bytes(b'{"cells": [' + b"[]," * 4_000_000 + b"[]]}")
    run = reading.subprocess.run
    code = f"import sys; from {reading.__name__} import *; import {reading.__name__} as r; "
    code += "r.MEMORY = 2**28; r._main(sys.argv[1])"
    monkeypatch.setattr(
        reading.subprocess,
        "run",
        lambda command, **k: run([command[0], "-c", code, command[-1]], **k),
    )
    with pytest.raises(Unreadable, match="too large to be read"):
        read(path)


def test_salvage_takes_a_time_in_proportion_to_the_file():
    for text in (
        "<<<<<<< a\n",
        '"cell_type": "code" ',
        '"source": ["',
        '"source": [["cell_type": "code"',
    ):
        data = b"{" + text.encode() * (2**20 // len(text))
        with pytest.raises(Unreadable):
            parsed(data)


def test_half_of_a_pair_of_surrogates_is_a_question_mark_wherever_it_stands():
    given = code("") | {"source": ["x = 1  # \ud800"]}
    given["metadata"] = {"nbgrader": {"grade_id": "a\udfff"}}
    metadata = {"gradlab": {"assignment": "b\ud800"}}
    document = parsed(json.dumps({**notebook([given]), "metadata": metadata}).encode())
    assert [(cell.text, cell.grade_id) for cell in document.cells] == [("x = 1  # ?", "a?")]
    assert document.assignment == "b?"


def test_a_file_whose_name_is_not_utf_8_is_named_all_the_same(tmp_path):
    path = tmp_path / "a\udcff.pdf"
    path.write_bytes(b"%PDF")
    with pytest.raises(Unreadable, match=r"^a\?\.pdf is a PDF"):
        read(path)


@pytest.mark.exhaustive
@pytest.mark.parametrize("filler", first_of(["[],", '"x",', "1,", '{"a":']))
def test_salvage_reads_no_part_of_cells_in_cells_twice(filler):
    head = '{"cell_type":"code","source":[' * 480
    data = (head + filler * (2**21 // len(filler))).encode()
    start = time.process_time()
    with pytest.raises(Unreadable):
        parsed(data)
    assert time.process_time() - start < 3  # 12 to 16 s, where each begins what the next one ends
