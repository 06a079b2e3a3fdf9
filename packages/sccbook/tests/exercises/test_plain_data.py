"""Plain data survives encoding, and anything else is refused."""

import base64
import json
import math
from functools import reduce

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from tests.exercises.banks import same
from tests.exercises.test_exercises import sent

from sccbook.checking.plain_data import (
    DTYPES,
    MOST_BYTES,
    MOST_DEPTH,
    MOST_LEAVES,
    MOST_TEXT,
    NotPlain,
    Other,
    decode,
    encode,
    to_plain_data,
)

NUMBERS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False)
ARRAYS = arrays.arrays(
    st.sampled_from([dtype for name, dtype in DTYPES.items() if name != "bfloat16"]),
    arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
)
DATA = st.recursive(
    NUMBERS | st.text(max_size=20) | ARRAYS | st.builds(Other, st.text(max_size=20)),
    lambda data: (
        st.lists(data, max_size=3)
        | st.lists(data, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=5), data, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(DATA)
def test_plain_data_survives_encoding(data):
    assert same(sent(data), data)


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_infinities_and_nan_survive_encoding_as_valid_json(number):
    json.dumps(encode(number), allow_nan=False)
    assert str(sent(number)) == str(number)
    arrived = sent(np.array([number, 1.0], np.float32))
    assert np.array_equal(arrived, np.array([number, 1.0]), equal_nan=True)


def test_byte_order_and_strides_do_not_change_the_numbers():
    for array in (np.arange(3.0).astype(">f8"), np.arange(12.0).reshape(3, 4).T[::2]):
        assert sent(to_plain_data(array)).tolist() == array.tolist()
    assert sent(to_plain_data(np.float32(1.5))).shape == ()


def test_jax_arrays_become_numpy_arrays():
    with jax.enable_x64(False):
        value = {"a": (jnp.ones(2, jnp.bfloat16), [jnp.arange(3)])}
        taken = to_plain_data(value)
    assert same(
        sent(taken), {"a": (np.ones(2, ml_dtypes.bfloat16), [np.arange(3, dtype=np.int32)])}
    )


def test_integers_survive_encoding_up_to_the_largest_float():
    for number in (2**53, 2**53 + 1, -(10**300), 2**1023 - 1):
        assert sent(to_plain_data(number)) == number
    assert to_plain_data(2**1024) == Other("int")
    assert to_plain_data(-(10**10_000)) == Other("int")
    for text in ("1" * 400, "1" * 5000, "seven", ""):
        with pytest.raises(NotPlain):
            decode({"int": text})
    with pytest.raises(NotPlain):
        decode(10**400)


def test_other_data_is_kept_as_a_type_name():
    assert to_plain_data({1}) == Other("set")
    assert to_plain_data(lambda: 0) == Other("function")
    assert to_plain_data(np.array(["text"])) == Other("ndarray")
    assert to_plain_data(np.array([{1}, None])) == Other("ndarray")
    assert to_plain_data([np.longdouble(1)]) == [Other("longdouble")]
    assert sent(Other("set")) == Other("set")
    with pytest.raises(TypeError, match="set is no plain data"):
        encode({1})


def test_custom_classes_do_not_survive_encoding():
    odd = {"__eq__": lambda self, other: True, "__hash__": None}
    record, number, text = (type("Odd", (base,), odd) for base in (dict, float, str))
    taken = to_plain_data([record(a=1), number(2.0), text("three")])
    assert [type(part) for part in taken] == [dict, Other, str]
    assert taken[0] != {"a": 2}
    assert type(to_plain_data(np.ma.masked_array([1.0, 2.0], [True, False]))) is np.ndarray


TOO_MUCH = {
    "too many": [0] * MOST_LEAVES,
    "too deep": reduce(lambda data, _: [data], range(MOST_DEPTH + 1), 0),
    "too large": np.zeros(MOST_BYTES + 1, np.uint8),
    "too large together": [np.zeros(MOST_BYTES // 2 + 1, np.uint8)] * 2,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TOO_MUCH)
def test_data_that_is_too_large_is_refused(name):
    data = TOO_MUCH[name]
    with pytest.raises(NotPlain, match=r"too large|nested more than"):
        to_plain_data(data)
    with pytest.raises(NotPlain):
        decode(encode(data))


def test_long_text_is_cut():
    assert (
        len(to_plain_data("x" * 10 * MOST_TEXT)) == len(decode("x" * 10 * MOST_TEXT)) == MOST_TEXT
    )


def test_half_a_character_becomes_a_question_mark():
    half = "\ud800"
    sent = {"list": [half, {"dict": [[half, 1]]}, {"other": half}]}
    assert decode(sent) == ["?", {"?": 1}, Other("?")]


GOOD = encode(np.array([1.0, 2.0]))
MALFORMED = {
    "a bare list": [1, 2],
    "a bare dict": {},
    "unknown": {"pickle": "gASVAA=="},
    "two at once": {"int": "1", "float": "nan"},
    "a float by name": {"float": "1.5"},
    "a dict's items": {"dict": [["a", 1], ["b"]]},
    "a dict's key": {"dict": [[1, 1]]},
    "a tuple's text": {"tuple": "ab"},
    "other": {"other": 3},
    "no dtype": {"array": GOOD["array"], "shape": [2]},
    "an object's dtype": GOOD | {"dtype": "object"},
    "text's dtype": GOOD | {"dtype": "str"},
    "a shape of text": GOOD | {"shape": "2"},
    "a shape of true": GOOD | {"shape": [True, 2]},
    "a negative shape": GOOD | {"shape": [-1, -2]},
    "a float's shape": GOOD | {"shape": [2.0]},
    "endless sides": {"array": "", "dtype": "float32", "shape": [0, 2**24, 2**24, 2**24]},
    "another shape": GOOD | {"shape": [3]},
    "a huge shape": GOOD | {"shape": [2**20, 2**20]},
    "too many dimensions": GOOD | {"shape": [1] * (MOST_DEPTH + 1)},
    "not base64": GOOD | {"array": "%%%%"},
    "not ASCII": GOOD | {"array": "ä" * 24},
    "too few bytes": GOOD | {"array": base64.b64encode(b"1234").decode()},
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_data_is_refused(name):
    for data in (MALFORMED[name], {"list": [{"dict": [["a", MALFORMED[name]]]}]}):
        with pytest.raises(NotPlain):
            decode(data)
