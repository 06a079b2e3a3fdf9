"""Plain data: what an answer returned, without any of its objects.

Arrays, numbers, text, ``None``, and dicts, lists and tuples of these. It is what is judged,
and all that crosses the wall of a sandbox: as JSON, never as objects.
"""

import base64
import math
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

MOST_LEAVES, MOST_BYTES, MOST_DEPTH, MOST_TEXT = 10_000, 2**24, 20, 10_000
"""Nobody's answer is larger than this."""
MOST_BITS = 1023
"""An integer of so many bits is a finite float64."""

DTYPES: dict[str, Any] = {}
"""Those that are read: none without NumPy, as in a page's Python, and no bfloat16 without JAX."""
with suppress(ModuleNotFoundError):
    import numpy as np

    DTYPES |= {
        name: np.dtype(name)
        for name in (
            *("bool", "float16", "float32", "float64", "complex64", "complex128"),
            *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        )
    }
    from ml_dtypes import bfloat16

    DTYPES["bfloat16"] = np.dtype(bfloat16)


class NotPlain(ValueError):
    """Data that ``encode`` didn't write, or that is larger than allowed."""


@dataclass(frozen=True)
class Other:
    """Something that isn't plain data: a function, a set, an object of a class."""

    kind: str


class _Budget:
    """How many leaves and bytes may still be read."""

    def __init__(self) -> None:
        self.leaves, self.bytes = MOST_LEAVES, MOST_BYTES

    def take(self, *, size: int = 0, depth: int = 0) -> None:
        self.leaves -= 1
        self.bytes -= size
        if self.leaves < 0 or self.bytes < 0:
            raise NotPlain(
                f"it is too large: at most {MOST_LEAVES} parts, of {MOST_BYTES} bytes together, are read"
            )
        if depth > MOST_DEPTH:
            raise NotPlain(f"it is nested more than {MOST_DEPTH} deep")


def clean(text: str) -> str:
    """Replace lone surrogates, which no file can hold, by ``?``."""
    return text.encode("utf-8", "replace").decode("utf-8")


def cut(text: str, longest: int) -> str:
    """Cut a text to this length, with three dots at the end."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def describe_error(error: BaseException) -> str:
    """Describe an error by its type and first line, without what changes from run to run."""
    lines = str(error).strip().splitlines()
    text = re.sub(r"0x[0-9a-fA-F]+", "0x...", lines[0]) if lines else ""
    text = cut(re.sub(r"\S*<locals>\.", "", text), 120)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def to_plain_data(value: Any) -> Any:
    """Copy a value as plain data; what can't be copied becomes an ``Other``.

    Arrays of JAX and of NumPy become NumPy's, with their dtype and shape. Python's numbers stay
    Python's.

    Raises:
      NotPlain: if there is too much of it.
    """
    return _to_plain_data(value, _Budget(), 0)


def _to_plain_data(value: Any, budget: _Budget, depth: int) -> Any:
    budget.take(depth=depth)
    if value is None or type(value) in (bool, float):
        return value
    if type(value) is int and value.bit_length() <= MOST_BITS:
        return value
    if isinstance(value, str):
        return str.__str__(value)[:MOST_TEXT]
    if isinstance(value, dict):
        return {str(k)[:100]: _to_plain_data(v, budget, depth + 1) for k, v in value.items()}
    if isinstance(value, tuple):
        return tuple(_to_plain_data(part, budget, depth + 1) for part in value)
    if isinstance(value, list):
        return [_to_plain_data(part, budget, depth + 1) for part in value]
    if DTYPES and all(hasattr(value, name) for name in ("__array__", "shape", "dtype")):
        array = np.array(value)
        if array.dtype.name in DTYPES:
            budget.take(size=array.nbytes)
            return array.astype(DTYPES[array.dtype.name], copy=False)  # this machine's byte order
    return Other(type(value).__name__[:100])


def encode(value: Any) -> Any:
    """Encode plain data for JSON. ``decode`` is the inverse."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return {"int": str(value)} if abs(value) > 2**53 else value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, dict):
        return {"dict": [[key, encode(part)] for key, part in value.items()]}
    if isinstance(value, tuple | list):
        return {type(value).__name__: [encode(part) for part in value]}
    if DTYPES and isinstance(value, np.ndarray):
        data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode("ascii")
        return {"array": data, "dtype": value.dtype.name, "shape": list(value.shape)}
    if isinstance(value, Other):
        return {"other": value.kind}
    raise TypeError(f"{type(value).__name__} is no plain data: call to_plain_data() first")


def decode(value: Any) -> Any:
    """Decode what ``encode`` made. The sender isn't trusted: everything is checked.

    Raises:
      NotPlain: if it is not what ``encode`` makes, or larger than ``to_plain_data`` allows.
    """
    return _decode(value, _Budget(), 0)


def _decode(value: Any, budget: _Budget, depth: int) -> Any:
    budget.take(depth=depth)
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, str):
        return clean(value[:MOST_TEXT])
    match value:
        case {"int": str(digits)} if len(value) == 1 and len(digits) < MOST_BITS:
            return _integer(digits)
        case {"float": "inf" | "-inf" | "nan" as name} if len(value) == 1:
            return float(name)
        case {"dict": list(items)} if len(value) == 1:
            pairs = [item for item in items if isinstance(item, list) and len(item) == 2]
            if len(pairs) == len(items) and all(isinstance(key, str) for key, _ in pairs):
                return {clean(key[:100]): _decode(part, budget, depth + 1) for key, part in pairs}
        case {"tuple": list(items)} if len(value) == 1:
            return tuple(_decode(item, budget, depth + 1) for item in items)
        case {"list": list(items)} if len(value) == 1:
            return [_decode(item, budget, depth + 1) for item in items]
        case {"array": str(data), "dtype": str(dtype), "shape": list(shape)} if len(value) == 3:
            return _array(data, dtype, shape, budget)
        case {"other": str(kind)} if len(value) == 1:
            return Other(clean(kind[:100]))
    raise NotPlain("it is not in the form of plain data")


def _integer(digits: str | int) -> int:
    try:
        number = int(digits)
    except ValueError:
        raise NotPlain("it is not in the form of plain data") from None
    if number.bit_length() > MOST_BITS:
        raise NotPlain(f"an integer of {number.bit_length()} bits is not read")
    return number


def _array(data: str, dtype: str, shape: list[Any], budget: _Budget) -> Any:
    if dtype not in DTYPES or len(shape) > MOST_DEPTH:
        raise NotPlain(f"an array of dtype {dtype[:20]!r} is not read")
    if not all(type(size) is int and 0 <= size <= MOST_BYTES for size in shape):
        raise NotPlain("an array's shape is not one")
    size = math.prod(shape) * DTYPES[dtype].itemsize
    budget.take(size=size)
    try:
        raw = base64.b64decode(data, validate=True)
    except ValueError:
        raise NotPlain("an array's data are not base64") from None
    if len(raw) != size:
        raise NotPlain(f"an array's data have {len(raw)} bytes, and its shape wants {size}")
    try:
        return np.frombuffer(raw, DTYPES[dtype]).reshape(shape).copy()
    except ValueError as error:  # of no entries, and sides that are too long for NumPy
        raise NotPlain(f"an array's shape is not one: {error}") from None
