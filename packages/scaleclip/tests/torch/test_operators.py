"""Claims of scaleclip.torch's operators, beside those of scaleclip.ops on the same numbers."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed here: make frameworks test-frameworks"
)

from scaleclip import ops  # noqa: E402
from scaleclip.torch import (  # noqa: E402
    clip_by_global_norm_,
    clip_gradient,
    clip_gradient_norm,
    max_norm_,
    scale_gradient,
)

# what torch.func imports says so
pytestmark = pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:FutureWarning")
DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
EACH_FLOAT = pytest.mark.parametrize("dtype", DTYPES, ids=str)
CORNERS = [np.inf, -np.inf, np.nan, -0.0, 0.0, 1.5, -2.5]
AT_TENSOR = {
    "scale_gradient": lambda x: scale_gradient(x, 0.5),
    "clip_gradient": lambda x: clip_gradient(x, -1.0, 1.0),
    "clip_gradient_norm": lambda x: clip_gradient_norm(x, 1.0),
}
EACH = pytest.mark.parametrize("name", AT_TENSOR)
WRONG_NUMBERS = [
    ("one", TypeError, r"must be one real number, but 'one' \(str\) was given"),
    (True, TypeError, "must be one real number"),
    (1j, TypeError, "must be one real number"),
    (None, TypeError, "must be one real number, but None was given"),
    (torch.ones(2), ValueError, r"must be a scalar, but a tensor of shape \(2,\)"),
]
WRONG_LIMITS = [
    *WRONG_NUMBERS,
    (-1.0, ValueError, r"must be 0 or more, but -1.0 was given"),
    (math.nan, ValueError, "must be 0 or more, but nan was given"),
]


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


def assert_as_jax(x, expected):
    """Assert the dtype, and the values but for roundings."""
    name = str(x.dtype).removeprefix("torch.")
    assert expected.dtype == name
    eps = float(torch.finfo(x.dtype).eps)
    np.testing.assert_allclose(
        x.detach().double().numpy(), np.asarray(expected, np.float64), rtol=4 * eps, atol=1e-300
    )


def pulled(operator, cotangent):
    x = torch.zeros_like(cotangent, requires_grad=True)
    return torch.autograd.grad(operator(x), x, cotangent)[0]


def pulled_by_jax(operator, cotangent):
    cotangent = as_jax(cotangent)
    return jax.vjp(operator, jnp.zeros_like(cotangent))[1](cotangent)[0]


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
def test_what_is_no_tensor_is_refused(name):
    for x in (np.ones(2), [1.0], 3.0, None):
        with pytest.raises(TypeError, match=r"x must be a tensor, but .* was given"):
            AT_TENSOR[name](x)


@EACH
def test_the_value_cannot_be_changed_in_place_behind_x(name):
    y = AT_TENSOR[name](torch.ones(2, requires_grad=True) * 2)
    with pytest.raises(RuntimeError, match="modified inplace"):
        y.add_(1)


@EACH_FLOAT
@pytest.mark.parametrize("scale", [-2.0, -1.0, 0.0, 0.5, 1.0, 100.0])
def test_the_gradient_is_multiplied_by_the_scale_as_in_jax(scale, dtype):
    g = normal(3, 4, dtype=dtype)
    given = pulled(lambda x: scale_gradient(x, scale), g)
    assert_as_jax(given, pulled_by_jax(lambda x: ops.scale_gradient(x, scale), g))
    traced = pulled(lambda x: scale_gradient(x, torch.tensor(scale, dtype=torch.float64)), g)
    assert traced.dtype == dtype
    assert bits(traced) == bits(given)


def test_a_sparse_state_is_refused():
    for name in AT_TENSOR:
        with pytest.raises(TypeError, match=r"x must be a dense tensor.*x\.to_dense\(\)"):
            AT_TENSOR[name](torch.eye(2).to_sparse())


def test_a_second_derivative_meets_the_scale_twice():
    def f(x, s=0.5):
        return scale_gradient(x, s) ** 3

    x = torch.tensor(0.7, dtype=torch.float64)
    expected = float(jax.hessian(lambda x: ops.scale_gradient(x, 0.5) ** 3)(0.7))
    assert expected == pytest.approx(0.25 * 6 * 0.7)
    func = torch.func
    for second in (
        func.grad(func.grad(f)), func.hessian(f), func.jacfwd(func.jacfwd(f)),
        func.jacrev(func.jacfwd(f)),
    ):  # fmt: skip
        assert float(second(x)) == pytest.approx(expected, rel=1e-14)
    x.requires_grad_()
    (first,) = torch.autograd.grad(f(x), x, create_graph=True)
    assert float(torch.autograd.grad(first, x)[0]) == pytest.approx(expected, rel=1e-14)


def test_the_gradient_depends_on_the_scale_and_the_value_does_not():
    x = torch.tensor(2.0)
    assert torch.func.grad(lambda s: scale_gradient(x, s) ** 3)(torch.tensor(0.3)) == 0
    back = lambda s: torch.func.grad(lambda x: scale_gradient(x, s) ** 3)(x)
    assert float(torch.func.grad(back)(torch.tensor(0.3))) == 12.0


def test_tangents_are_scaled_too_and_clips_have_no_forward_mode():
    x, dx = normal(3), normal(3, seed=2)
    y, dy = torch.func.jvp(lambda x: scale_gradient(x, 0.5), (x,), (dx,))
    assert bits(y) == bits(x)
    torch.testing.assert_close(dy, dx / 2)
    for name in ("clip_gradient", "clip_gradient_norm"):
        with pytest.raises((RuntimeError, NotImplementedError), match=r"jvp|forward mode"):
            torch.func.jvp(AT_TENSOR[name], (x,), (dx,))


@EACH_FLOAT
def test_the_cotangent_is_clipped_element_by_element_as_in_jax(dtype):
    g = torch.tensor([-3.0, -0.5, 0.25, 7.0, -0.0, np.inf, -np.inf, np.nan], dtype=dtype)
    for ends in ((-1.0, 2.0), (0.0, 0.3), (-np.inf, np.inf), (2.0, 2.0), (-1e30, 1e30)):
        given = pulled(lambda x, ends=ends: clip_gradient(x, *ends), g)
        expected = pulled_by_jax(lambda x, ends=ends: ops.clip_gradient(x, *ends), g)
        assert given.dtype == dtype
        np.testing.assert_array_equal(given.double(), np.asarray(expected, np.float64), str(ends))
    assert bits(pulled(lambda x: clip_gradient(x, -np.inf, np.inf), g)) == bits(g)
    assert bits(pulled(lambda x: clip_gradient(x, 0, 9), g[4:5])) == bits(g[4:5])


def test_limits_that_are_tensors_in_the_wrong_order_make_nan():
    one = torch.tensor(1.0)
    for low, high in ((one, -one), (one * math.nan, one), (-one, one * math.nan)):
        g = pulled(lambda x, low=low, high=high: clip_gradient(x, low, high), torch.ones(2))
        assert torch.all(g.isnan())
    for limit in (-one, one * math.nan):
        g = pulled(lambda x, limit=limit: clip_gradient_norm(x, limit), torch.zeros(2))
        assert torch.all(g.isnan())


@EACH_FLOAT
@pytest.mark.parametrize("dim", [None, -1, (0, 1), 0, ()])
def test_clip_gradient_norm_shortens_over_its_dimensions_as_in_jax(dim, dtype):
    g = normal(3, 4, seed=2, dtype=dtype)
    for limit in (0.0, 0.3, 1.2, 1e3, np.inf):
        given = pulled(lambda x, c=limit: clip_gradient_norm(x, c, dim), g)
        expected = pulled_by_jax(lambda x, c=limit: ops.clip_gradient_norm(x, c, dim), g)
        assert_as_jax(given, expected)
        if limit > 100:
            assert bits(given) == bits(g)


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
    close = {
        "rtol": 4 * torch.finfo(dtype).eps,
        "atol": 2 * torch.finfo(dtype).smallest_normal * 1e-7,
    }
    given = [
        pulled(lambda x: clip_gradient_norm(x, limit), g),
        max_norm_(g.clone(), limit),
        clipped([g[:1], g[1:]], limit)[0],
    ]
    for result in given:
        result = torch.cat(list(result)) if isinstance(result, list) else result
        torch.testing.assert_close(result.double(), expected, **close)


def test_nan_spreads_to_entries_that_share_a_norm_only():
    g = torch.tensor([[np.inf, 3.0], [1.0, 4.0]])
    for given in (
        pulled(lambda x: clip_gradient_norm(x, 1.0, 0), g),
        max_norm_(g.clone(), 1.0, layout="in_out"),
        max_norm_(g.clone(), 1.0, dim=0),
    ):
        expected = torch.tensor([[np.nan, 0.6], [np.nan, 0.8]])
        torch.testing.assert_close(given, expected, equal_nan=True)
    passed = pulled(lambda x: clip_gradient_norm(x, np.inf), g)
    assert bits(passed) == bits(g)


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


@pytest.mark.parametrize(("value", "error", "message"), WRONG_NUMBERS)
def test_a_scale_that_is_no_number_is_refused(value, error, message):
    with pytest.raises(error, match="scale " + message):
        scale_gradient(torch.ones(2), value)


@pytest.mark.parametrize(("value", "error", "message"), WRONG_LIMITS)
def test_a_limit_that_is_wrong_is_refused_everywhere(value, error, message):
    with pytest.raises(error, match="max_norm " + message):
        clip_gradient_norm(torch.ones(2), value)
    with pytest.raises(error, match="max_norm " + message):
        clip_by_global_norm_(with_grads(torch.ones(2)), value)
    with pytest.raises(error, match="limit " + message):
        max_norm_(torch.ones(2), value)


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        ((1.0, -1.0), "minimum must not be greater than maximum"),
        ((0.0, math.nan), "maximum must be a number, but nan was given"),
    ],
)
def test_intervals_that_are_wrong_are_refused(ends, message):
    with pytest.raises(ValueError, match=message):
        clip_gradient(torch.ones(2, 3), *ends)


@pytest.mark.parametrize("operator", [clip_gradient_norm, max_norm_])
@pytest.mark.parametrize(
    ("dim", "error"), [(2, ValueError), ((0, 0), ValueError), (0.5, TypeError), (True, TypeError)]
)
def test_dimensions_that_are_wrong_are_refused(operator, dim, error):
    with pytest.raises(error, match="dim"):
        operator(torch.ones(2, 3), 1.0, dim=dim)


# Gradients of a model


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
def test_a_limit_of_zero_gives_zeros_and_zero_stays_zero():
    for dtype in DTYPES:
        tiny = torch.finfo(dtype).smallest_normal
        for g in ([3.0, -4.0], [torch.finfo(dtype).max, 1.0], [tiny, 0.0], [0.0, 0.0]):
            (given,), _ = clipped([torch.tensor(g, dtype=dtype)], 0.0)
            assert given.dtype == dtype
            assert not torch.any(given)
    zero = torch.tensor([0.0, -0.0])
    assert bits(clipped([zero], 1.0)[0][0]) == bits(zero)
    assert bits(clipped([zero], 0)[0][0]) == bits(zero)


def test_nonfinite_says_what_becomes_of_inf_and_nan():
    for bad in (np.inf, -np.inf, np.nan):
        grads = [torch.tensor([bad, 3.0]), torch.tensor([[4.0]])]
        given, norm = clipped(grads, 1.0)
        assert all(torch.all(g.isnan()) for g in given)
        assert not math.isfinite(norm)
        given, norm = clipped(grads, 1.0, nonfinite="zero")
        assert float(norm) == 5.0
        torch.testing.assert_close(
            torch.cat([g.view(-1) for g in given]), torch.tensor([0, 0.6, 0.8])
        )
        parameters = with_grads(*grads)
        with pytest.raises(FloatingPointError, match=r"parameters\[0\] has 1 of 2 entries"):
            clip_by_global_norm_(parameters, 1.0, nonfinite="raise")
        assert bits(parameters[1].grad) == bits(grads[1])
    fine = [torch.tensor([3.0, 4.0])]
    assert bits(clipped(fine, 1.0, nonfinite="raise")[0][0]) == bits(clipped(fine, 1.0)[0][0])
    with pytest.raises(ValueError, match="nonfinite must be one of 'propagate', 'zero', 'raise'"):
        clipped(fine, 1.0, nonfinite="ignore")


@pytest.mark.parametrize("kind", ["complex", "float8", "sparse"])
def test_an_entry_that_is_not_finite_is_one_number_of_any_kind(kind):
    if kind == "complex":
        g, zeroed = torch.tensor([complex(math.nan, 1), 3 + 4j]), [0, 3 + 4j]
    elif kind == "float8":
        g, zeroed = torch.tensor([math.inf, 5]).to(torch.float8_e5m2), [0, 5]
    else:  # the sum of two rows overflows
        rows, places = torch.tensor([3e38, 3e38, 5.0]), torch.tensor([[0, 0, 1]])
        g, zeroed = torch.sparse_coo_tensor(places, rows, (2,), check_invariants=True), [0, 5]
    parameter = torch.nn.Parameter(torch.zeros(2, dtype=g.dtype))
    parameter.grad = g
    with pytest.raises(FloatingPointError, match="gradient of parameters has 1 of 2 entries"):
        clip_by_global_norm_(parameter, 9.0, nonfinite="raise")
    assert float(clip_by_global_norm_(parameter, 9.0, nonfinite="zero")) == 5.0
    given = parameter.grad.to_dense() if kind == "sparse" else parameter.grad
    assert given.to(torch.complex64).tolist() == zeroed


def test_a_limit_of_inf_changes_nothing_bit_for_bit():
    g = torch.tensor([*CORNERS, 3e-45])
    for limit in (np.inf, torch.tensor(np.inf)):
        assert bits(clipped([g], limit)[0][0]) == bits(g)
        assert bits(pulled(lambda x, limit=limit: clip_gradient_norm(x, limit), g)) == bits(g)
        assert bits(max_norm_(g.clone(), limit)) == bits(g)


def test_a_limit_that_is_a_tensor_is_taken():
    (given,), _ = clipped([torch.tensor([3.0, 4.0])], torch.tensor(2, dtype=torch.int64))
    torch.testing.assert_close(given, torch.tensor([1.2, 1.6]))
    for wrong in (-1.0, math.nan):
        (given,), _ = clipped([torch.zeros(2)], torch.tensor(wrong))
        assert torch.all(given.isnan())


def test_takes_a_module_parameters_or_one_tensor():
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
    model[0].weight.grad = torch.full((2, 2), 4.0)
    for parameters in (model, model.parameters(), model[0].weight, [model[0].weight] * 2):
        model[0].weight.grad.fill_(4.0)
        assert float(clip_by_global_norm_(parameters, 2.0)) == 8.0
        assert model[0].weight.grad.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert model[1].weight.grad is None


def test_a_clip_without_gradients_warns_and_names_the_usual_causes():
    model = torch.nn.Linear(2, 2)
    with pytest.warns(UserWarning, match=r"after backward\(\) and before.*zero_grad.*DeepSpeed"):
        assert float(clip_by_global_norm_(model, 1.0)) == 0.0
    used = iter(model.parameters())
    list(used)
    with pytest.warns(UserWarning, match="No parameter was given.*can be used once"):
        assert float(clip_by_global_norm_(used, 1.0)) == 0.0


def test_a_limit_that_is_the_number_zero_warns():
    with pytest.warns(
        UserWarning, match=r"max_norm = 0 makes every gradient 0.*math\.inf"
    ) as found:
        clipped([torch.ones(2)], 0)
    assert found[0].filename == __file__
    (given,), _ = clipped([torch.ones(2)], torch.tensor(0.0))
    assert not torch.any(given)


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support")
def test_what_cannot_be_clipped_is_refused():
    weight = torch.nn.Parameter(torch.eye(2).to_sparse_csr())
    weight.grad = torch.eye(2).to_sparse_csr()
    with pytest.raises(TypeError, match=r"gradient of parameters has the layout .*csr.*to_dense"):
        clip_by_global_norm_(weight, 1.0)
    for wrong in (torch.nn.Linear(1, 1).named_parameters(), [np.ones(2)], 3.0, "weights"):
        with pytest.raises(TypeError, match="parameters must be"):
            clip_by_global_norm_(wrong, 1.0)


def test_a_large_tensor_keeps_its_digits():
    g = normal(3_000_000, dtype=torch.float32)
    exact = float(np.linalg.norm(g.double().numpy()))
    assert float(clipped([g], np.inf)[1]) == pytest.approx(exact, rel=2e-6)
    g[7] = 3e30  # in one piece of many the squares overflow
    assert float(clipped([g], np.inf)[1]) == pytest.approx(3e30, rel=1e-6)


# Weights


@EACH_FLOAT
@pytest.mark.parametrize("layout", ["out_in", "in_out"])
@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4), (4, 3, 2, 2)])
def test_max_norm_cuts_columns_as_in_jax(shape, layout, dtype):
    w = normal(*shape, dtype=dtype)
    for limit in (0.0, 0.5, 1.5, 1e3):
        given = w.clone()
        assert max_norm_(given, limit, layout=layout) is given
        assert_as_jax(given, ops.max_norm(as_jax(w), limit, layout=layout))
        assert limit < 100 or bits(given) == bits(w)


@EACH_FLOAT
def test_a_column_within_the_cap_is_never_moved(dtype):
    w = torch.tensor([[3, 4], [0.1, -0.2], [-0.0, 0.0], [0, 1e-3]], dtype=dtype)
    for limit in (5.0, 5.5, np.inf):
        assert bits(max_norm_(w.clone(), limit)) == bits(w)
    assert bits(max_norm_(w.clone(), 1.0)[1:]) == bits(w[1:])


def test_a_dim_names_what_a_column_extends_over():
    w = normal(4, 3, 2)
    for dim in (0, 1, -1, (0, 2), (0, 1, 2)):
        expected = ops.max_norm(as_jax(w), 0.5, axis=dim)
        assert_as_jax(max_norm_(w.clone(), 0.5, dim=dim), expected)


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


class Own(torch.nn.Module):
    """A module of one's own, whose kernel may be a bias."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(4, 1))


REFUSED_WEIGHTS = [
    (Own(), {}, ValueError, r"weight has the shape \(4, 1\).* bias, or a kernel of"),
    (torch.nn.Conv1d(2, 3, 3), {"layout": "in_out"}, ValueError, r"or attention's \[in, heads, features\]"),
    (torch.nn.LayerNorm(3), {}, ValueError, r"no parameter of two dimensions.*'weight', 'bias'"),
    (
        torch.nn.Linear(2, 2), {"where": lambda name, p: "kernel" in name}, ValueError,
        r"where selects no parameter\. The names are 'weight'",
    ),
    (torch.ones(2, 2), {"layout": "OIHW"}, ValueError, "layout must be 'out_in', outputs first"),
    (torch.ones(2, 2), {"layout": 1}, ValueError, "layout must be 'out_in', outputs first"),
    (torch.ones(2, 2), {"dim": 0, "layout": "in_out"}, ValueError, r"dim = 0 and layout = 'in_out' were given\. Give one"),
    *(
        (wrong, {}, TypeError, "weights must be")
        for wrong in (np.ones(2), [torch.ones(2)], torch.arange(3), torch.ones(1, dtype=torch.cfloat))
    ),
]  # fmt: skip


@pytest.mark.parametrize(("weights", "how", "error", "message"), REFUSED_WEIGHTS)
def test_weights_that_are_not_clear_are_refused(weights, how, error, message):
    with pytest.raises(error, match=message):
        max_norm_(weights, 1.0, **how)


def test_where_makes_it_clear():
    own = Own()
    max_norm_(own, 0.01, where=lambda name, p: name == "weight")
    assert float(own.weight.detach().abs().max()) <= 0.01
