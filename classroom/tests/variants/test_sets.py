"""A set is drawn from a seed, written down without it, and read again."""

from __future__ import annotations

import json

import pytest
from gradlab_classroom.variants import command, private, seeds, sets

from classroom.tests.drawn import SEEDS, drawn, solution, variant


@pytest.fixture
def folder(tmp_path):
    (tmp_path / sets.FILE).write_text(drawn(SEEDS[0]).text())
    return tmp_path


@pytest.mark.exhaustive
def test_the_same_seed_draws_the_same_set_and_another_one_another():
    texts = [drawn(seed).text() for seed in SEEDS]
    assert sets.draw(SEEDS[0]).text() == texts[0]
    assert len(set(texts)) == len(SEEDS)
    operations = [[variant.parameters for variant in drawn(seed).variants] for seed in SEEDS]
    assert all(first != other for first, other in zip(operations[0], operations[1], strict=True))


def test_a_family_draws_from_the_seed_and_from_its_own_name():
    one, same, other, seed = (
        seeds.generator(*given).integers(2**60)
        for given in (
            (b"a" * 16, "parts"), (b"a" * 16, "parts"), (b"a" * 16, "heads"), (b"b" * 16, "parts"),
        )
    )  # fmt: skip
    assert one == same
    assert len({int(one), int(other), int(seed)}) == 3


def test_the_seed_is_not_written_down():
    text = drawn(SEEDS[0]).text()
    assert SEEDS[0].decode() not in text
    assert seeds.fingerprint(SEEDS[0]) in text
    assert len({seeds.fingerprint(seed) for seed in SEEDS}) == len(SEEDS)


@pytest.mark.exhaustive
def test_a_set_is_read_without_its_seed(folder):
    exercises = private.load(folder)
    assert list(exercises) == list(sets.FAMILIES)
    again = drawn(SEEDS[0]).variants
    for member in again:
        own = exercises[member.name]
        assert [case.words for case in own.cases] == [case.words for case in member.exercise.cases]
        assert own.examine(solution(member)).passed


def test_a_set_that_is_read_twice_is_the_same_one(folder):
    assert private.load(folder)["clip_heads"] is private.load(folder)["clip_heads"]


@pytest.mark.parametrize(("text", "words"), [
    ("", "cannot be used"),
    ("{", "cannot be used"),
    ("[]", "it has not the keys"),
    ('{"form": 1}', "it has not the keys"),
    ('{"form": 9, "fingerprint": "a", "variants": {}, "written": {"steps": 4}}', "the form 9"),
    ('{"form": 1, "fingerprint": "a", "variants": {}, "written": {"steps": 4}}', "should be scale_a_part"),
])  # fmt: skip
def test_a_file_that_is_no_set_is_refused_with_advice(tmp_path, text, words):
    (tmp_path / sets.FILE).write_text(text)
    with pytest.raises(sets.NoSet, match=words) as caught:
        private.load(tmp_path)
    assert "--seed-file" in str(caught.value)


def test_parameters_that_were_changed_by_hand_are_refused(folder):
    found = json.loads((folder / sets.FILE).read_text())
    for wrong in ({**found["variants"]["clip_heads"], "norm": "7"}, "the largest", None):
        changed = {**found, "variants": {**found["variants"], "clip_heads": wrong}}
        (folder / sets.FILE).write_text(json.dumps(changed))
        with pytest.raises(sets.NoSet, match="cannot be used"):
            private.load(folder)


def test_a_folder_without_a_set_is_refused(tmp_path):
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(sets.NoSet, match=r"holds no variants\.json"):
            private.load(folder)


@pytest.mark.parametrize(("content", "words"), [
    (b"", "0 bytes"),
    (b"  \n", "0 bytes"),
    (b"short", "5 bytes"),
    (b"0" * 64, "1 different bytes"),
])  # fmt: skip
def test_a_seed_that_can_be_guessed_is_refused(tmp_path, content, words, capsys):
    path = tmp_path / "seed.txt"
    path.write_bytes(content)
    with pytest.raises(seeds.SeedError, match=words):
        seeds.read(path)
    assert command.main(["--seed-file", str(path), "--out", str(tmp_path / "out")]) == 2
    assert "secrets.token_hex(32)" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_seed_that_is_missing_or_a_folder_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(seeds.SeedError, match="cannot be read"):
            seeds.read(path)


def test_an_editors_last_newline_makes_no_other_seed(tmp_path):
    path = tmp_path / "seed.txt"
    path.write_bytes(SEEDS[0] + b"\n")
    assert seeds.read(path) == SEEDS[0]


@pytest.mark.exhaustive
def test_points_need_the_folder(folder, monkeypatch):
    one = variant(SEEDS[0], "clip_heads")
    monkeypatch.delenv(private.PRIVATE, raising=False)
    with pytest.raises(ValueError, match=r"GRADLAB_PRIVATE is not set.*nbgrader_config"):
        private.points("clip_heads", {}, of=5)
    monkeypatch.setenv(private.PRIVATE, str(folder))
    assert private.points("clip_heads", {"clip_heads": solution(one)}, of=5) == 5
    assert private.points("clip_heads", {"clip_heads": lambda grads, limit: grads}, of=5) == 0
    assert private.points("clip_heads", {}, of=5) == 0
    with pytest.raises(ValueError, match=r"no exercise 'max_norm'.*cap_rotated"):
        private.points("max_norm", {}, of=5)
