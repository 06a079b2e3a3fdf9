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
def test_unknown_primitive_is_named_with_its_line_the_known_jax_versions_and_the_cure(
    monkeypatch, version, cure
):
    monkeypatch.setattr(jax, "__version_info__", version)

    def strange(x):
        return MYSTERY.bind(x) + 1

    with pytest.raises(UnsupportedPrimitive) as caught:
        compile(strange, 1.0)
    message = str(caught.value)
    assert "'mystery'" in message
    assert f"{Path(__file__).name}:{strange.__code__.co_firstlineno + 1}" in message
    assert f"JAX {jax.__version__}; explorax.compiler was tested with JAX 0.8 to 0.12" in message
    assert cure in message
    assert caught.value.primitive == "mystery"
    assert "dot_general" in caught.value.supported


REFUSED = [  # a function, its argument, and what the error says
    (lambda x: jnp.linalg.svdvals(x + 1j), X, "to complex128.*two arrays"),
    (lambda x: jnp.abs(jnp.linalg.eigvals(x)), X, "'eig'.*jnp.linalg.eigh"),
    (lambda x: jnp.abs(jnp.fft.fft(x)), X, r"to complex128\)[^|]*multiply by the matrices of the transform"),
    (lambda x: jnp.abs(jnp.fft.rfft(x)), X, "'fft' has no translation[^|]*multiply by the matrices of the transform"),
    (lambda x: x.astype("float16").astype("float64"), X, "to float16"),
    (lambda x: (jax.debug.print("{}", x), x)[1], X, "'(debug_print|debug_callback)'.*Take the call"),
    (lambda a: jnp.linalg.svdvals(a), np.ones((70, 65)), r"'svd' \(of a 70 x 65 matrix; the shorter side may be 64\)"),
    (lambda a: jsp.qr(a, pivoting=True), X, r"'qr' \(with pivoting\).*test_lower\.py"),
    (lambda a: jnp.linalg.svd(a, False, subset_by_index=(0, 1)), X, r"'svd' \(of a part"),
    (lambda x: lax.reduce_precision(x, 8, 7), 1.0, "to 7 bits, with 8 of exponent"),
    (lambda x: lax.bitcast_convert_type(x, jnp.int64), X, "float64 to int64, but for the sign bit alone"),
    (lambda x: x.astype("uint64").astype("float64"), X, "float64 to uint64"),
    (lambda x: polygamma(1, x), 1.0, "'polygamma'"),
    (lambda i: jax.random.normal(jax.random.key(i, impl="rbg")), 0, "rbg"),
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
