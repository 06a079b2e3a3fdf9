"""Claims of scaleclip.torch's operators, beside those of scaleclip.ops on the same numbers."""

from __future__ import annotations

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed here: make frameworks test-frameworks"
)

import scaleclip.torch  # noqa: E402
from scaleclip import ops  # noqa: E402
from scaleclip.torch import (  # noqa: E402
    clip_by_global_norm_,
    clip_gradient,
    clip_gradient_norm,
    max_norm_,
    scale_gradient,
)

# what torch.func imports says so
pytestmark = pytest.mark.filterwarnings(
    "ignore:.torch.jit.script. is deprecated:FutureWarning", "ignore:Sparse CSR tensor support"
)
DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
EACH_FLOAT = pytest.mark.parametrize("dtype", DTYPES, ids=str)
CORNERS = [np.inf, -np.inf, np.nan, -0.0, 0.0, 1.5, -2.5]
AT_TENSOR = {
    "scale_gradient": lambda x: scale_gradient(x, 0.5),
    "clip_gradient": lambda x: clip_gradient(x, -1.0, 1.0),
    "clip_gradient_norm": lambda x: clip_gradient_norm(x, 1.0),
}
EACH = pytest.mark.parametrize("name", AT_TENSOR)


@pytest.fixture(autouse=True, scope="module")
def x64():
    """Let JAX's arrays be float64."""
    with jax.enable_x64(True):
        yield


def bits(x):
    """The bytes of a tensor: equal for equal ones, NaN and the sign of 0 included."""
    return x.detach().contiguous().view(-1).view(torch.uint8).numpy().tobytes()


def normal(*shape, seed=1, dtype=torch.float64):
    return torch.tensor(np.random.default_rng(seed).normal(size=shape)).to(dtype)


def as_jax(x):
    """The same numbers in JAX, in the same dtype."""
    return jnp.asarray(x.double().numpy()).astype(str(x.dtype).removeprefix("torch."))


def assert_as_jax(x, expected, units=4):
    """Assert the dtype, and the values but for roundings of so many units in the last place."""
    assert expected.dtype == str(x.dtype).removeprefix("torch.")
    rtol = units * float(torch.finfo(x.dtype).eps)
    wide = np.asarray(expected, np.float64)
    np.testing.assert_allclose(x.detach().double().numpy(), wide, rtol=rtol, atol=1e-300)


def pulled(operator, cotangent):
    x = torch.zeros_like(cotangent, requires_grad=True)
    return torch.autograd.grad(operator(x), x, cotangent)[0]


def with_grads(*grads):
    """Parameters with these gradients."""
    parameters = [torch.nn.Parameter(torch.zeros_like(g)) for g in grads]
    for parameter, g in zip(parameters, grads, strict=True):
        parameter.grad = g.clone()
    return parameters


def clipped(grads, limit, **how):
    parameters = with_grads(*grads)
    norm = clip_by_global_norm_(parameters, limit, **how)
    return [p.grad for p in parameters], norm


# Beside JAX

LIMITS = (0.0, 0.3, 1.2, 1e3, np.inf)
CLIPPED = torch.tensor([-3.0, -0.5, 0.25, 7.0, -0.0, np.inf, -np.inf, np.nan])
AS_IN_JAX = [
    *(("scale_gradient", normal(3, 4), (s,), {}) for s in (-2.0, -1.0, 0.0, 0.5, 1.0, 100.0)),
    *(
        ("clip_gradient", CLIPPED, ends, {})
        for ends in ((-1.0, 2.0), (0.0, 0.3), (2.0, 2.0), (-1e30, 1e30), (-np.inf, np.inf))
    ),
    *(
        ("clip_gradient_norm", normal(3, 4, seed=2), (limit, dim), {})
        for limit in LIMITS
        for dim in (None, -1, (0, 1), 0, ())
    ),
    *(
        ("max_norm_", normal(*shape), (limit,), {"layout": layout})
        for shape in ((5,), (3, 4), (2, 3, 4), (4, 3, 2, 2))
        for limit in LIMITS
        for layout in ("out_in", "in_out")
    ),
    *(
        ("max_norm_", normal(4, 3, 2), (0.5,), {"dim": dim})
        for dim in (0, 1, -1, (0, 2), (0, 1, 2))
    ),
]
"""Operators, gradients or weights for them, and other arguments."""


@EACH_FLOAT
@pytest.mark.parametrize(("name", "numbers", "limits", "how"), AS_IN_JAX)
def test_an_operator_gives_what_jaxs_gives(name, numbers, limits, how, dtype):
    g, x = numbers.to(dtype), as_jax(numbers.to(dtype))
    here, in_jax = getattr(scaleclip.torch, name), getattr(ops, name.rstrip("_"))
    named = {"axis" if key == "dim" else key: value for key, value in how.items()}
    if name == "max_norm_":
        given, expected = here(g.clone(), *limits, **how), in_jax(x, *limits, **named)
    else:
        given = pulled(lambda g: here(g, *limits), g)
        expected = jax.vjp(lambda x: in_jax(x, *limits), jnp.zeros_like(x))[1](x)[0]
    assert_as_jax(given, expected, units=0 if name == "clip_gradient" else 4)
    if limits[0] >= 1e3 or limits == (-np.inf, np.inf):  # nothing is beyond it
        assert bits(given) == bits(g)


@EACH_FLOAT
@pytest.mark.filterwarnings("ignore:max_norm = 0")
def test_the_global_clip_is_that_of_jax(dtype):
    grads = [normal(3, 4, dtype=dtype), normal(5, seed=2, dtype=dtype), normal(seed=3, dtype=dtype)]
    for limit in (0.0, 0.5, 3.0, 1e3, np.inf):
        given, norm = clipped(grads, limit)
        expected, n = ops.clip_by_global_norm([as_jax(g) for g in grads], limit)
        assert norm.shape == ()
        assert norm.dtype == (torch.float64 if dtype == torch.float64 else torch.float32)
        assert float(norm) == pytest.approx(float(n), rel=1e-6)
        for g, e, before in zip(given, expected, grads, strict=True):
            assert_as_jax(g, e)
            assert limit < 100 or bits(g) == bits(before)


# At a tensor


@EACH_FLOAT
@EACH
def test_the_value_is_kept_bit_for_bit(name, dtype):
    x = torch.tensor(CORNERS, dtype=dtype)
    y = AT_TENSOR[name](x)
    assert y.dtype == dtype
    assert bits(y) == bits(x)
    assert y is not x


@EACH
def test_the_value_cannot_be_changed_in_place_behind_x(name):
    y = AT_TENSOR[name](torch.ones(2, requires_grad=True) * 2)
    with pytest.raises(RuntimeError, match="modified inplace"):
        y.add_(1)


def test_a_second_derivative_meets_the_scale_twice():
    f = lambda x: scale_gradient(x, 0.5) ** 3
    x = torch.tensor(0.7, dtype=torch.float64)
    expected = pytest.approx(0.25 * 6 * 0.7, rel=1e-14)
    func = torch.func
    for second in (
        func.grad(func.grad(f)), func.hessian(f), func.jacfwd(func.jacfwd(f)),
        func.jacrev(func.jacfwd(f)),
    ):  # fmt: skip
        assert float(second(x)) == expected
    x.requires_grad_()
    (first,) = torch.autograd.grad(f(x), x, create_graph=True)
    assert float(torch.autograd.grad(first, x)[0]) == expected


def test_the_gradient_depends_on_the_scale_and_the_value_does_not():
    x = torch.tensor(2.0)
    assert torch.func.grad(lambda s: scale_gradient(x, s) ** 3)(torch.tensor(0.3)) == 0
    back = lambda s: torch.func.grad(lambda x: scale_gradient(x, s) ** 3)(x)
    assert float(torch.func.grad(back)(torch.tensor(0.3))) == 12.0


def test_tangents_are_scaled_too_and_clips_have_no_forward_mode():
    x, dx = normal(3), normal(3, seed=2)
    y, dy = torch.func.jvp(AT_TENSOR["scale_gradient"], (x,), (dx,))
    assert bits(y) == bits(x)
    torch.testing.assert_close(dy, dx / 2)
    for name in ("clip_gradient", "clip_gradient_norm"):
        with pytest.raises((RuntimeError, NotImplementedError), match=r"jvp|forward mode"):
            torch.func.jvp(AT_TENSOR[name], (x,), (dx,))


def test_vmap_takes_one_limit_per_example():
    limits = torch.tensor([0.5, 1.0, 4.0])
    x = torch.full((3,), 2.0)
    for operator, expected in (
        (lambda x, c: clip_gradient(x, -c, c), limits),
        (clip_gradient_norm, limits),
        (scale_gradient, 4 * limits),
    ):
        slope = torch.func.grad(lambda x, c, f=operator: f(x, c) ** 2)
        torch.testing.assert_close(torch.func.vmap(slope)(x, limits), expected)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@EACH
def test_a_compiled_function_has_the_same_gradient_without_a_break(name):
    def f(x):
        return (3 * AT_TENSOR[name](x.sin()) ** 2).sum()

    compiled = torch.compile(f, backend="aot_eager", fullgraph=True)
    x = normal(4).requires_grad_()
    (expected,) = torch.autograd.grad(f(x), x)
    torch.testing.assert_close(torch.autograd.grad(compiled(x), x)[0], expected)


def test_a_second_derivative_differentiates_the_clip():
    # Beyond the limit the slope is constant, within it the operator is not there.
    for name in ("clip_gradient", "clip_gradient_norm"):
        second = torch.func.jacrev(torch.func.grad(lambda x, f=AT_TENSOR[name]: (f(x) ** 2).sum()))
        inside = second(torch.tensor([0.1, 0.2], dtype=torch.float64))
        assert torch.all(inside.abs() <= 2)
        assert bool(torch.any(inside != 0))
    second = torch.func.jacrev(torch.func.grad(lambda x: (clip_gradient(x, -1, 1) ** 2 / 4).sum()))
    torch.testing.assert_close(second(torch.tensor([0.1, 5.0])), torch.diag(torch.tensor([0.5, 0])))


# Numbers at the ends


@pytest.mark.parametrize(
    ("g", "limit", "dtype"),
    [
        ([300.0, 400.0], 5.0, torch.float16),
        ([3e30, 4e30], 1.0, torch.float32),
        ([3e-30, 4e-30], 1e-30, torch.float32),
        ([3e38, 1.0], 1e38, torch.float32),
        ([3e38, -3e38], 1.0, torch.float32),
        ([3e-45, 4e-45], 1e-45, torch.float32),
        ([3e300, 4e300], 1.0, torch.float64),
        ([1.5e308, 1.5e308], 1.0, torch.float64),
        ([3e-300, 4e-300], 1e-300, torch.float64),
        ([3e30, 4e30], 1.0, torch.bfloat16),
    ],
)
def test_norms_neither_overflow_nor_underflow(g, limit, dtype):
    g = torch.tensor(g, dtype=dtype)
    wide = g.double() / g.double().abs().max()
    expected = wide / wide.norm() * min(limit, 1e300)
    limits = torch.finfo(dtype)
    for result in (
        pulled(lambda x: clip_gradient_norm(x, limit), g),
        max_norm_(g.clone(), limit),
        torch.cat(clipped([g[:1], g[1:]], limit)[0]),
    ):
        torch.testing.assert_close(
            result.double(), expected, rtol=4 * limits.eps, atol=2e-7 * limits.smallest_normal
        )


def test_nan_spreads_to_entries_that_share_a_norm_only():
    g = torch.tensor([[np.inf, 3.0], [1.0, 4.0]])
    expected = torch.tensor([[np.nan, 0.6], [np.nan, 0.8]])
    for given in (
        pulled(lambda x: clip_gradient_norm(x, 1.0, 0), g),
        max_norm_(g.clone(), 1.0, layout="in_out"),
        max_norm_(g.clone(), 1.0, dim=0),
    ):
        torch.testing.assert_close(given, expected, equal_nan=True)


def test_a_limit_of_inf_changes_nothing_bit_for_bit():
    g = torch.tensor([*CORNERS, 3e-45])
    for limit in (np.inf, torch.tensor(np.inf)):
        assert bits(clipped([g], limit)[0][0]) == bits(g)
        assert bits(pulled(lambda x, limit=limit: clip_gradient_norm(x, limit), g)) == bits(g)
        assert bits(max_norm_(g.clone(), limit)) == bits(g)


def test_numbers_may_be_tensors_and_those_that_are_wrong_make_nan():
    (given,), _ = clipped([torch.tensor([3.0, 4.0])], torch.tensor(2, dtype=torch.int64))
    torch.testing.assert_close(given, torch.tensor([1.2, 1.6]))
    half = torch.tensor(0.5, dtype=torch.float64)
    scaled = pulled(lambda x: scale_gradient(x, half), torch.ones(2))
    assert bits(scaled) == bits(torch.full((2,), 0.5))
    one = torch.tensor(1.0)
    for low, high in ((one, -one), (one * math.nan, one), (-one, one * math.nan)):
        g = pulled(lambda x, low=low, high=high: clip_gradient(x, low, high), torch.ones(2))
        assert torch.all(g.isnan())
    for limit in (-one, one * math.nan):
        g = pulled(lambda x, limit=limit: clip_gradient_norm(x, limit), torch.zeros(2))
        (of_model,), _ = clipped([torch.zeros(2)], limit)
        assert torch.all(g.isnan() & of_model.isnan())


# Gradients of a model


def test_at_the_limit_nothing_is_moved_at_every_limit():
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        for c in range(5, 1000, 5):
            g = torch.tensor([3.0, 4.0]) * (c / 5)
            if not torch.equal(g.to(dtype).float(), g):
                continue
            (given,), norm = clipped([g.to(dtype)], float(c))
            assert (bits(given), float(norm)) == (bits(g.to(dtype)), float(c))


def test_mixed_dtypes_share_one_norm():
    given, norm = clipped([torch.tensor([300.0], dtype=dtype) for dtype in DTYPES], 6.0)
    assert [(g.dtype, float(g)) for g in given] == [(dtype, 3.0) for dtype in DTYPES]
    assert (float(norm), norm.dtype) == (600.0, torch.float64)


@pytest.mark.filterwarnings("ignore:max_norm = 0")
@EACH_FLOAT
def test_a_limit_of_zero_gives_zeros_and_zero_stays_zero(dtype):
    limits = torch.finfo(dtype)
    for g in ([3.0, -4.0], [limits.max, 1.0], [limits.smallest_normal, 0.0]):
        (given,), _ = clipped([torch.tensor(g, dtype=dtype)], 0.0)
        assert given.dtype == dtype
        assert not torch.any(given)
    zero = torch.tensor([0.0, -0.0], dtype=dtype)
    for limit in (0, 0.0, 1.0):
        assert bits(clipped([zero], limit)[0][0]) == bits(zero)


def test_nonfinite_says_what_becomes_of_inf_and_nan():
    for bad in (np.inf, -np.inf, np.nan):
        grads = [torch.tensor([bad, 3.0]), torch.tensor([[4.0]])]
        given, norm = clipped(grads, 1.0)
        assert all(torch.all(g.isnan()) for g in given)
        assert not math.isfinite(norm)
        given, norm = clipped(grads, 1.0, nonfinite="zero")
        assert float(norm) == 5.0
        flat = torch.cat([g.view(-1) for g in given])
        torch.testing.assert_close(flat, torch.tensor([0, 0.6, 0.8]))
        parameters = with_grads(*grads)
        with pytest.raises(FloatingPointError, match=r"parameters\[0\] has 1 of 2 entries"):
            clip_by_global_norm_(parameters, 1.0, nonfinite="raise")
        assert bits(parameters[1].grad) == bits(grads[1])
    fine = [torch.tensor([3.0, 4.0])]
    assert bits(clipped(fine, 1.0, nonfinite="raise")[0][0]) == bits(clipped(fine, 1.0)[0][0])


ENTRIES = {
    "complex": (torch.tensor([complex(math.nan, 1), 3 + 4j]), [0, 3 + 4j]),
    "float8": (torch.tensor([math.inf, 5]).to(torch.float8_e5m2), [0, 5]),
    "sparse": (  # the sum of two rows overflows
        torch.sparse_coo_tensor(
            torch.tensor([[0, 0, 1]]), torch.tensor([3e38, 3e38, 5.0]), (2,), check_invariants=True
        ),
        [0, 5],
    ),
}


@pytest.mark.parametrize("kind", ENTRIES)
def test_an_entry_that_is_not_finite_is_one_number_of_any_kind(kind):
    g, zeroed = ENTRIES[kind]
    parameter = torch.nn.Parameter(torch.zeros(2, dtype=g.dtype))
    parameter.grad = g.clone()
    with pytest.raises(FloatingPointError, match="gradient of parameters has 1 of 2 entries"):
        clip_by_global_norm_(parameter, 9.0, nonfinite="raise")
    assert float(clip_by_global_norm_(parameter, 9.0, nonfinite="zero")) == 5.0
    given = parameter.grad.to_dense() if kind == "sparse" else parameter.grad
    assert given.to(torch.complex64).tolist() == zeroed


def test_takes_a_module_parameters_or_one_tensor():
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
    model[0].weight.grad = torch.full((2, 2), 4.0)
    for parameters in (model, model.parameters(), model[0].weight, [model[0].weight] * 2):
        model[0].weight.grad.fill_(4.0)
        assert float(clip_by_global_norm_(parameters, 2.0)) == 8.0
        assert model[0].weight.grad.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert model[1].weight.grad is None


def test_a_clip_that_clips_nothing_or_everything_warns():
    model = torch.nn.Linear(2, 2)
    used = iter(model.parameters())
    list(used)
    for parameters, words in (
        (model, r"after backward\(\) and before.*zero_grad.*DeepSpeed"),
        (used, "No parameter was given.*can be used once"),
    ):
        with pytest.warns(UserWarning, match=words):
            assert float(clip_by_global_norm_(parameters, 1.0)) == 0.0
    words = r"max_norm = 0 makes every gradient 0.*math\.inf"
    with pytest.warns(UserWarning, match=words) as found:
        clip_by_global_norm_(with_grads(torch.ones(2)), 0)
    assert found[0].filename == __file__
    (given,), _ = clipped([torch.ones(2)], torch.tensor(0.0))
    assert not torch.any(given)


def test_a_large_tensor_keeps_its_digits():
    g = normal(3_000_000, dtype=torch.float32)
    exact = float(np.linalg.norm(g.double().numpy()))
    assert float(clipped([g], np.inf)[1]) == pytest.approx(exact, rel=2e-6)
    g[7] = 3e30  # in one piece of many the squares overflow
    assert float(clipped([g], np.inf)[1]) == pytest.approx(3e30, rel=1e-6)


# Weights


@EACH_FLOAT
def test_a_column_within_the_cap_is_never_moved(dtype):
    w = torch.tensor([[3, 4], [0.1, -0.2], [-0.0, 0.0], [0, 1e-3]], dtype=dtype)
    for limit in (5.0, 5.5, np.inf):
        given = w.clone()
        assert max_norm_(given, limit) is given
        assert bits(given) == bits(w)
    assert bits(max_norm_(w.clone(), 1.0)[1:]) == bits(w[1:])


def test_where_selects_by_name_and_then_a_vector_is_one_column():
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.LayerNorm(3))
    with torch.no_grad():
        model[0].bias.fill_(7.0)
    weight = model[0].weight.detach().clone()
    asked = {}

    def where(name, parameter):
        asked[name] = tuple(parameter.shape)
        return name.endswith("0.bias")

    max_norm_(model, 1.0, where=where)
    assert asked == {"0.weight": (3, 4), "0.bias": (3,), "1.weight": (3,), "1.bias": (3,)}
    torch.testing.assert_close(model[0].bias.detach(), torch.full((3,), 3**-0.5))
    assert bits(model[0].weight) == bits(weight)


def test_layers_of_pytorch_know_their_own_layout():
    layers = {
        torch.nn.Linear(1, 4): (1,),
        torch.nn.Conv2d(4, 8, 3, groups=4): (1, 2, 3),  # depthwise
        torch.nn.ConvTranspose2d(4, 6, 3): (0, 2, 3),
        torch.nn.Embedding(5, 4): (1,),
        torch.nn.LSTM(4, 3): (1,),
        torch.nn.MultiheadAttention(4, 2): (1,),
    }
    for layer, dim in layers.items():
        before = {n: p.detach().clone() for n, p in layer.named_parameters()}
        max_norm_(torch.nn.Sequential(layer), 0.01)
        for name, p in layer.named_parameters():
            by_hand = max_norm_(before[name], 0.01, dim=dim) if p.dim() > 1 else before[name]
            assert torch.equal(p.detach(), by_hand), (layer, name)
    grouped = torch.nn.ConvTranspose1d(4, 6, 3, groups=2)
    w = grouped.weight.detach().clone()
    max_norm_(grouped, 0.01)
    for half in (slice(0, 2), slice(2, 4)):
        by_hand = max_norm_(w[half].clone(), 0.01, dim=(0, 2))
        assert torch.equal(grouped.weight.detach()[half], by_hand)


def test_where_allows_a_kernel_that_may_be_a_bias():
    own = torch.nn.ParameterDict({"weight": torch.ones(4, 1)})
    with pytest.raises(ValueError, match=r"weight has the shape \(4, 1\).* bias, or a kernel of"):
        max_norm_(own, 0.01)
    max_norm_(own, 0.01, where=lambda name, p: name == "weight")
    assert float(own["weight"].detach().abs().max()) <= 0.01


# Refusals

ONES = torch.ones(2, 3)
WRONG_NUMBERS = [
    ("one", TypeError, r"must be one real number, but 'one' \(str\) was given"),
    (True, TypeError, "must be one real number"),
    (1j, TypeError, "must be one real number"),
    (None, TypeError, "must be one real number, but None was given"),
    (torch.ones(2), ValueError, r"must be a scalar, but a tensor of shape \(2,\)"),
]
WRONG_LIMITS = [
    *WRONG_NUMBERS,
    (None, TypeError, "must be one real number, but None was given: for no limit math.inf"),
    (-1.0, ValueError, r"must be 0 or more, but -1.0 was given"),
    (math.nan, ValueError, "must be 0 or more, but nan was given"),
]
WITH_LIMIT = {clip_gradient_norm: "max_norm", clip_by_global_norm_: "max_norm", max_norm_: "limit"}
capped = partial(max_norm_, limit=1.0)
REFUSED = [
    *(
        (f, x, TypeError, "x must be a tensor, but .* was given")
        for f in AT_TENSOR.values()
        for x in (np.ones(2), [1.0], 3.0, None)
    ),
    *(
        (f, torch.eye(2).to_sparse(), TypeError, r"x must be a dense tensor.*x\.to_dense\(\)")
        for f in AT_TENSOR.values()
    ),
    *(
        (partial(scale_gradient, ONES), value, error, f"scale {words}")
        for value, error, words in WRONG_NUMBERS
    ),
    *(
        (partial(f, ONES), value, error, f"{name} {words}")
        for f, name in WITH_LIMIT.items()
        for value, error, words in WRONG_LIMITS
    ),
    (partial(clip_gradient, ONES, 1.0), -1.0, ValueError, "minimum must not be greater than maximum"),
    (partial(clip_gradient, ONES, 0.0), math.nan, ValueError, "maximum must be a number, but nan was given"),
    *(
        (lambda dim, f=f: f(ONES, 1.0, dim=dim), dim, error, "dim")
        for f in (clip_gradient_norm, max_norm_)
        for dim, error in ((2, ValueError), ((0, 0), ValueError), (0.5, TypeError), (True, TypeError))
    ),
    (
        lambda how: clip_by_global_norm_(ONES, 1.0, nonfinite=how), "ignore", ValueError,
        "nonfinite must be one of 'propagate', 'zero', 'raise'",
    ),
    (
        lambda g: clip_by_global_norm_(with_grads(g.to_sparse_csr()), 1.0), torch.eye(2), TypeError,
        r"gradient of parameters\[0\] has the layout .*csr.*to_dense",
    ),
    *(
        (lambda p: clip_by_global_norm_(p, 1.0), wrong, TypeError, "parameters must be")
        for wrong in (torch.nn.Linear(1, 1).named_parameters(), [np.ones(2)], 3.0, "weights")
    ),
    (
        partial(capped, layout="in_out"), torch.nn.Conv1d(2, 3, 3), ValueError,
        r"or attention's \[in, heads, features\]",
    ),
    (capped, torch.nn.LayerNorm(3), ValueError, r"no parameter of two dimensions.*'weight', 'bias'"),
    (
        partial(capped, where=lambda name, p: "kernel" in name), torch.nn.Linear(2, 2), ValueError,
        r"where selects no parameter\. The names are 'weight'",
    ),
    *(
        (partial(capped, layout=wrong), ONES, ValueError, "layout must be 'out_in', outputs first")
        for wrong in ("OIHW", 1)
    ),
    (
        partial(capped, dim=0, layout="in_out"), ONES, ValueError,
        r"dim = 0 and layout = 'in_out' were given\. Give one",
    ),
    *(
        (capped, wrong, TypeError, "weights must be")
        for wrong in (np.ones(2), [torch.ones(2)], torch.arange(3), torch.ones(1, dtype=torch.cfloat))
    ),
]  # fmt: skip
"""Calls of one argument that can't be right, each with its error and words of it."""


@pytest.mark.parametrize(("call", "given", "error", "words"), REFUSED)
def test_what_cannot_be_right_is_refused(call, given, error, words):
    with pytest.raises(error, match=words):
        call(given)
