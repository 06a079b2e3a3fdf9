"""What has no translation is refused by name, with the line and what to do."""

from pathlib import Path

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsp
import numpy as np
import pytest
from jax import lax
from jax.extend.core import Primitive
from jax.scipy.special import polygamma

from explorax.compiler import ProgramError, UnsupportedPrimitive, compile
from explorax.compiler.errors import FOURIER


def test_unsupported_primitive_error_names_it_its_line_and_the_cure():
    def transformed(x):
        return jnp.abs(jnp.fft.rfft(x))

    with pytest.raises(UnsupportedPrimitive) as caught:
        compile(transformed, np.eye(2))
    message = str(caught.value)
    line = transformed.__code__.co_firstlineno + 1
    assert caught.value.primitive == "fft"
    assert f"{Path(__file__).name}:{line}" in message
    assert f"JAX {jax.__version__}" in message
    assert "multiply by the matrices of the transform" in message
    assert "dot_general" in caught.value.supported


X, RBG = np.eye(3), jax.random.key(0, impl="unsafe_rbg")
MYSTERY = Primitive("mystery")
MYSTERY.def_abstract_eval(lambda x: x)


@pytest.mark.parametrize(
    ("version", "cure"),
    [
        ((0, 12, 3), "Write that line with other functions of jax.numpy"),
        ((0, 13, 0), "newer explorax, or install 'jax<0.13'"),
    ],
)
def test_unknown_primitive_says_which_jax_versions_are_known(monkeypatch, version, cure):
    monkeypatch.setattr(jax, "__version_info__", version)
    with pytest.raises(UnsupportedPrimitive) as caught:
        compile(lambda x: MYSTERY.bind(x) + 1, 1.0)
    message = str(caught.value)
    assert "'mystery'" in message
    assert f"{Path(__file__).name}:" in message
    assert f"JAX {jax.__version__}; explorax.compiler was tested with JAX 0.8 to 0.12" in message
    assert cure in message


def rbg(i):
    return jax.random.normal(jax.random.key(i, impl="rbg"))


REFUSED = [  # a function, its argument, and what the error says
    (lambda x: jnp.linalg.svdvals(x + 1j), X, "to complex128.*two arrays"),
    (lambda x: jnp.abs(jnp.linalg.eigvals(x)), X, "'eig'.*jnp.linalg.eigh"),
    (lambda x: jnp.abs(jnp.fft.fft(x)), X, r"to complex128\)[^|]*multiply by the matrices of the transform"),
    (lambda x: x.astype("float16").astype("float64"), X, "to float16"),
    (lambda x: (jax.debug.print("{}", x), x)[1], X, "'(debug_print|debug_callback)'.*Take the call"),
    (lambda a: jnp.linalg.svdvals(a), np.ones((70, 65)), r"'svd' \(of a 70 x 65 matrix; the shorter side may be 64\)"),
    (lambda a: jsp.qr(a, pivoting=True), X, r"'qr' \(with pivoting\).*test_lower\.py"),
    (lambda a: jnp.linalg.svd(a, False, subset_by_index=(0, 1)), X, r"'svd' \(of a part"),
    (lambda x: lax.reduce_precision(x, 8, 7), 1.0, "to 7 bits, with 8 of exponent"),
    (lambda x: lax.bitcast_convert_type(x, jnp.int64), X, "float64 to int64, but for the sign bit alone"),
    (lambda x: x.astype("uint64").astype("float64"), X, "float64 to uint64"),
    (lambda x: polygamma(1, x), 1.0, "'polygamma'"),
    (rbg, 0, "rbg"),
    (lambda i: jax.random.normal(jax.random.fold_in(RBG, i)), 0, "rbg"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "argument", "said"), REFUSED)
def test_what_has_no_translation_is_refused_by_name(function, argument, said):
    with pytest.raises(UnsupportedPrimitive, match=said) as refused:
        compile(function, argument)
    assert isinstance(refused.value, ProgramError)


def test_the_advice_on_the_fft_gives_the_fft():
    lines = FOURIER.splitlines()[1:5]
    x = np.random.default_rng(0).normal(size=256)

    def sizes(x):
        scope = {"jnp": jnp, "n": 256, "x": x}
        exec("\n".join(map(str.strip, lines)), scope)
        return scope["size"]

    np.testing.assert_allclose(compile(sizes, x)(x), np.abs(np.fft.fft(x)), atol=1e-11)
