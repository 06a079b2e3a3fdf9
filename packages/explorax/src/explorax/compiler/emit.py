"""The last step: loops over buffers become the text of an ES module."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Iterable, Sequence

import numpy as np

from explorax.compiler import ir, operations
from explorax.compiler.operations import HELPERS
from explorax.compiler.precedence import ATOM, PREFIX, parenthesize
from explorax.compiler.trace import Leaf

# by dtype: the typed array, and its elements as bytes
ARRAYS = {
    "float64": ("Float64Array", "<f8"),
    "float32": ("Float32Array", "<f4"),
    "int64": ("Float64Array", "<f8"),
    "int32": ("Int32Array", "<i4"),
    "int16": ("Int16Array", "<i2"),
    "int8": ("Int8Array", "i1"),
    "uint32": ("Uint32Array", "<u4"),
    "uint16": ("Uint16Array", "<u2"),
    "uint8": ("Uint8Array", "u1"),
    "uint64": ("BigUint64Array", "<u8"),
    "bool": ("Uint8Array", "u1"),
}
DECODE = (
    "const decode = (text, array) => "
    "new array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);"
)


def emit(module: ir.Module, inputs: Sequence[Leaf], outputs: Sequence[Leaf]) -> str:
    """Print a module.

    The result is self-contained, has one export, ``evaluate``, and makes its scratch buffers
    once, when it is loaded.
    """
    printer = _Printer()
    body = list(printer.statements(module.body, 1))
    head = [
        f"// {_one_line(module.name)}, traced by JAX.",
        *(f"//   in   {_one_line(leaf.name)}: {leaf.dtype}{list(leaf.shape)}" for leaf in inputs),
        *(f"//   out  {_one_line(leaf.name)}: {leaf.dtype}{list(leaf.shape)}" for leaf in outputs),
    ]
    scratch = [f"const {b.name} = {printer.buffer(b)};" for b in module.buffers]
    made = [f"  const {b.name} = new {ARRAYS[b.dtype][0]}({b.size});" for b in module.outputs]
    helpers = [text for name, text in HELPERS.items() if name in printer.helpers]
    if printer.decodes:
        helpers.append(DECODE)
    parameters = ", ".join(each.name for each in module.inputs)
    numbers = [
        f"  {i.name} = {'Math.fround' if i.dtype == 'float32' else 'Number'}({i.name});"
        for i in module.inputs
        if isinstance(i, ir.Local)
    ]
    rounded = [
        f"  if (!({i.name} instanceof Float32Array)) {i.name} = Float32Array.from({i.name});"
        for i in module.inputs
        if isinstance(i, ir.Buffer) and i.dtype == "float32"
    ]
    result = ", ".join(b.name for b in module.outputs)
    lines = [
        *head,
        *helpers,
        *scratch,
        f"export function evaluate({parameters}) {{",
        *_checks(module, inputs),
        *numbers,
        *rounded,
        *made,
        *body,
        f"  return [{result}];",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _checks(module: ir.Module, inputs: Sequence[Leaf]) -> Iterable[str]:
    """Refuse too few or too many arguments, and arrays of another length."""
    names = ", ".join(leaf.name for leaf in inputs)
    takes = f"{_one_line(module.name)} takes {len(inputs)}: {names}; given "
    checks = [("arguments.length", len(inputs), takes)]
    for leaf, i in zip(inputs, module.inputs, strict=True):
        if isinstance(i, ir.Buffer):
            takes = f"{leaf.name} takes {i.size} numbers; given "
            checks.append((f"{i.name}.length", i.size, takes))
    for given, expected, takes in checks:
        yield f"  if ({given} !== {expected})"
        yield f"    throw new TypeError({json.dumps(takes, ensure_ascii=False)} + {given});"


def _one_line(name: str) -> str:
    """Return a name on one line, to stand in a comment."""
    return " ".join(name.split())


class _Printer:
    def __init__(self) -> None:
        self.helpers: set[str] = set()
        self.decodes = False

    def buffer(self, buffer: ir.Buffer) -> str:
        array, element = ARRAYS[buffer.dtype]
        if buffer.data is None:
            return f"new {array}({buffer.size})"
        written = [
            f"{array}.of({', '.join(_number(x, buffer.dtype) for x in buffer.data.tolist())})"
        ]
        if digits := _digits(buffer.data):
            written.append(f'{array}.from("{digits}", Number)')
        elif buffer.size > 8:
            stored = np.asarray(buffer.data).astype(element).tobytes()
            written.append(f'decode("{base64.b64encode(stored).decode()}", {array})')
        shortest = min(written, key=lambda text: len(zlib.compress(text.encode())))
        self.decodes = self.decodes or shortest.startswith("decode")
        return shortest

    def statements(self, block: Iterable[ir.Statement], depth: int) -> Iterable[str]:
        pad = "  " * depth
        for statement in block:
            match statement:
                case ir.Let(name, value, mutable):
                    yield f"{pad}{'let' if mutable else 'const'} {name} = {self.expression(value)};"
                case ir.Assign(name, ir.Apply("add", (ir.Local(same), value), "float64")) if (
                    name == same
                ):
                    yield f"{pad}{name} += {self.expression(value)};"
                case ir.Assign(name, value):
                    yield f"{pad}{name} = {self.expression(value)};"
                case ir.Store(buffer, index, value):
                    yield f"{pad}{buffer.name}[{self.expression(index)}] = {self.expression(value)};"
                case ir.Call(helper, arguments, _):
                    self.helpers.update(operations.with_requirements(helper))
                    given = (
                        a.name if isinstance(a, ir.Buffer) else self.expression(a)
                        for a in arguments
                    )
                    yield f"{pad}{helper}({', '.join(given)});"
                case ir.If(condition, then, otherwise):
                    yield f"{pad}if ({self.expression(condition)}) {{"
                    yield from self.statements(then, depth + 1)
                    if otherwise:
                        yield f"{pad}}} else {{"
                        yield from self.statements(otherwise, depth + 1)
                    yield f"{pad}}}"
                case ir.Loop(body):
                    goes_on = "true"
                    match body:
                        case [ir.Stop(unless), *body]:
                            goes_on = self.expression(unless)
                    yield f"{pad}while ({goes_on}) {{"
                    yield from self.statements(body, depth + 1)
                    yield f"{pad}}}"
                case ir.Stop(unless):
                    stop, _ = parenthesize("!{0}", self._with_precedence(unless))
                    yield f"{pad}if ({stop}) break;"
                case ir.For(i, count, body, reverse):
                    steps = (
                        f"let {i} = {count - 1}; {i} >= 0; {i}--"
                        if reverse
                        else f"let {i} = 0; {i} < {count}; {i}++"
                    )
                    yield f"{pad}for ({steps}) {{"
                    yield from self.statements(body, depth + 1)
                    yield f"{pad}}}"

    def expression(self, node: ir.Expression) -> str:
        """Print an expression."""
        return self._with_precedence(node)[0]

    def _with_precedence(self, node: ir.Expression) -> tuple[str, int]:
        """Print an expression, with its precedence."""
        match node:
            case ir.Number(value, dtype):
                text = _number(value, dtype)
                return text, PREFIX if text.startswith("-") else ATOM
            case ir.Local(name):
                return name, ATOM
            case ir.Load(buffer, index, _):
                return f"{buffer.name}[{self.expression(index)}]", ATOM
        form = operations.form(node.operation, node.arguments[0].dtype)
        for helper in form.helpers:
            self.helpers.update(operations.with_requirements(helper))
        operands = [self._with_precedence(argument) for argument in node.arguments]
        rounding = operations.ROUNDING.get(node.dtype)
        exact = form.exact
        if form.text == "{0}":  # a conversion that JavaScript does not need
            (printed,) = operands
            exact |= node.arguments[0].dtype == node.dtype
        else:
            printed = parenthesize(form.text, *operands)
        return printed if exact or rounding is None else parenthesize(rounding, printed)


def _digits(data: np.ndarray) -> str:
    """Print an array of the integers 0 to 9 as a string; empty where it holds anything else."""
    flat = np.asarray(data, dtype=float)
    if data.dtype.name == "uint64" or not np.all(np.isin(flat, np.arange(10))):
        return ""
    return "" if np.any(np.signbit(flat)) else "".join(str(int(x)) for x in flat)


def _number(value: float | int | bool, dtype: str) -> str:
    if dtype == "bool":
        return "true" if value else "false"
    if dtype == "uint64":
        return f"{int(value)}n"
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(int(value) if dtype.startswith("int") else float(value)).removesuffix(".0")
