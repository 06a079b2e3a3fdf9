"""The records of the experiments: that each is read by its name, small, explained and written as it was."""

import pytest

from sccbook.records import cell_of, load, path, written
from sccbook.records.schemas import SCHEMAS

NAMES = sorted({name.partition(".")[0] for name in SCHEMAS} | {"norm_logs"})


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_written_as_it_was_read(name):
    assert written(load(name)) == path(name).read_text("utf-8")


@pytest.mark.parametrize("name", [*NAMES, "torch_at_scale"])
def test_a_record_is_small_and_says_what_it_was_made_with(name):
    assert {"python", "commit"} <= set(load(name)["provenance"])
    assert path(name).stat().st_size < 250_000


@pytest.mark.parametrize("schema", SCHEMAS)
def test_every_row_has_the_fields_of_its_schema(schema):
    name, _, part = schema.partition(".")
    record, part = load(name), part or "cells"
    cells = record.cells(part)
    assert cells[0]._fields == tuple(record.fields(part))
    assert [list(cell) for cell in cells] == [
        [tuple(x) if isinstance(x, list) else x for x in row] for row in record[part]
    ]
    assert cells[-1] == cell_of(name, part)(*cells[-1])
    assert record.cells(part, **cells[0]._asdict()) == [cells[0]]


def test_unknown_record_or_ambiguous_cell_is_refused():
    with pytest.raises(ValueError, match="no record 'remedy'; expected one of chaotic_unrolls, "):
        load("remedy")
    with pytest.raises(ValueError, match=r"208 cells of 'remedies' have \{\}"):
        load("remedies").cell()
