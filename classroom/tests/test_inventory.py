"""The concept inventory has two parallel forms, and its sheets do not give the key away."""

from __future__ import annotations

import copy
from collections import Counter

import pytest
import yaml
from gradlab_classroom import inventory, inventory_command

from classroom.tests.paths import ASSIGNMENTS

PATH = ASSIGNMENTS / "inventory.yml"
BOTH = pytest.mark.parametrize("form", inventory.FORMS)


@pytest.fixture(scope="module")
def questions():
    return inventory.read(PATH)


@pytest.fixture(scope="module")
def raw():
    return yaml.safe_load(PATH.read_text(encoding="utf-8"))


@pytest.fixture
def refuses(raw, tmp_path):
    """Alter a copy of the inventory, and say with what words it is refused."""

    def try_it(alter, match):
        changed = copy.deepcopy(raw)
        alter(changed)
        path = tmp_path / "changed.yml"
        path.write_text(yaml.safe_dump(changed), encoding="utf-8")
        with pytest.raises(ValueError, match=match):
            inventory.read(path)

    return try_it


def key_of(questions, form):
    return [question.right for question in questions.forms[form]]


def test_the_misconceptions_of_the_subject_are_all_probed(questions):
    assert set(questions.misconceptions) >= {
        "scaling_is_clipping",
        "clipnorm_can_scale",
        "max_norm_on_state",
        "batch_norm_instead",
        "inputs_clipped",
        "clip_helps_vanishing",
        "tf_function_was_removed",
        "clipnorm_is_global",
        "clip_after_step",
        "clip_before_unscaling",
        "clip_before_summing",
        "clip_tames_nan",
        "adam_makes_clipping_pointless",
        "constraint_on_gradient",
        "wrong_axis",
        "one_over_k_on_step_0",
        "line_outside_the_loop",
        "scale_before_the_heads",
        "forward_scaled",
        "wrong_term_stopped",
    }


def test_there_are_twelve_questions_in_each_form(questions):
    for some in questions.forms.values():
        assert [question.id for question in some] == list(range(1, 13))


def test_both_forms_differ_in_every_stem_and_in_the_place_of_most_answers(questions):
    pairs = list(zip(*questions.forms.values(), strict=True))
    assert all(a.stem != b.stem for a, b in pairs)
    assert sum(a.right != b.right for a, b in pairs) >= 8


@BOTH
def test_the_letter_or_the_length_of_a_choice_gives_nothing_away(questions, form):
    assert all(2 <= n <= 3 for n in Counter(key_of(questions, form)).values())
    longest = 0
    for question in questions.forms[form]:
        lengths = {letter: len(choice.text) for letter, choice in question.choices.items()}
        others = [n for letter, n in lengths.items() if letter != question.right]
        longest += lengths[question.right] > max(others)
    assert longest <= 3


@BOTH
def test_a_printed_form_has_every_question_and_choice_and_not_the_key(
    raw, questions, form, tmp_path
):
    text = inventory.as_markdown(questions, form)
    for question in questions.forms[form]:
        assert f"**{question.id}.** {question.stem.strip()}" in text
        for letter, choice in question.choices.items():
            assert f"- **{letter}.** {choice.text}" in text
            assert not choice.shows or choice.shows not in text
    assert not [name for name in questions.misconceptions if name in text]

    moved = copy.deepcopy(raw)  # another key, the same sheet
    for question in moved["questions"]:
        for at in inventory.FORMS:
            choices = question["forms"][at]["choices"]
            texts = [choices[letter].pop("text") for letter in "ABCD"]
            rolled = dict(zip("ABCD", [choices[letter] for letter in "BCDA"], strict=True))
            for letter, words in zip("ABCD", texts, strict=True):
                rolled[letter]["text"] = words
            question["forms"][at]["choices"] = rolled
    path = tmp_path / "moved.yml"
    path.write_text(yaml.safe_dump(moved, allow_unicode=True), encoding="utf-8")
    other = inventory.read(path)
    assert key_of(other, form) != key_of(questions, form)
    assert inventory.as_markdown(other, form) == text


def test_a_form_that_does_not_exist_is_refused(questions):
    with pytest.raises(ValueError, match="A, B, but 'C' was given"):
        inventory.as_markdown(questions, "C")


def test_a_second_right_choice_is_refused(refuses):
    def alter(raw):
        raw["questions"][0]["forms"]["A"]["choices"]["A"] = {"text": "So it is.", "right": True}

    refuses(alter, "question 1, form A has 2 right choices")


def test_equal_choices_are_refused(refuses):
    def alter(raw):
        choices = raw["questions"][3]["forms"]["B"]["choices"]
        choices["D"]["text"] = f" {choices['B']['text']} "

    refuses(alter, "question 4, form B has two choices that are equal")


def test_forms_that_are_not_parallel_are_refused(refuses):
    def alter(raw):
        raw["questions"][4]["forms"]["B"]["choices"]["A"]["misconception"] = "wrong_axis"

    refuses(alter, r"(?s)Question 5 offers clip_after_step.*in form A.*wrong_axis in form B")


def test_a_misconception_without_words_is_refused(refuses):
    def alter(raw):
        raw["questions"][4]["forms"]["B"]["choices"]["A"]["misconception"] = "wrong_axes"

    refuses(alter, "question 5, form B, choice A: 'wrong_axes' is not among")


def test_a_misconception_that_nothing_probes_is_refused(refuses):
    refuses(lambda raw: raw["misconceptions"].update(spare="Nobody thinks so."), "stands for spare")


def test_a_number_that_yaml_took_from_a_text_is_refused(refuses):
    def alter(raw):
        raw["questions"][3]["forms"]["A"]["choices"]["A"]["text"] = 0.5

    refuses(alter, r"choice A: text must be text, but it is 0\.5")


def test_a_missing_form_is_refused(refuses):
    refuses(lambda raw: raw["questions"][2]["forms"].pop("B"), "the forms of question 3 must have")


def test_an_id_out_of_order_is_refused(refuses):
    refuses(lambda raw: raw["questions"][2].update(id=4), "Question 3 has the id 4")


def test_the_command_prints_a_form(questions, capsys):
    assert inventory_command.main(["--inventory", str(PATH), "print", "--form", "B"]) == 0
    assert capsys.readouterr().out == inventory.as_markdown(questions, "B")
