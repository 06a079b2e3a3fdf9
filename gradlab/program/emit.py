"""The last step: loops over buffers become the text of an ES module."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Iterable, Sequence

import numpy as np

from gradlab.program import ir, operations
from gradlab.program.operations import HELPERS
from gradlab.program.precedence import ATOM, PREFIX, put
from gradlab.program.trace import Leaf

ARRAYS = {
    "float64": "Float64Array",
    "float32": "Float32Array",
    "int64": "Float64Array",
    "int32": "Int32Array",
    "int16": "Int16Array",
    "int8": "Int8Array",
    "uint32": "Uint32Array",
    "uint16": "Uint16Array",
    "uint8": "Uint8Array",
    "uint64": "BigUint64Array",
    "bool": "Uint8Array",
}
# how an argument that is a number comes in: as its dtype holds it
ARGUMENT = {
    "float64": "Number({0})",
    "float32": "Math.fround({0})",
    "int64": "Number({0})",
    "int32": "Number({0})",
    "bool": "Number({0})",
}
STORED = {
    "float64": "<f8",
    "float32": "<f4",
    "int64": "<f8",
    "int32": "<i4",
    "int16": "<i2",
    "int8": "i1",
    "uint32": "<u4",
    "uint16": "<u2",
    "uint8": "u1",
    "uint64": "<u8",
    "bool": "u1",
}
DECODE = (
    "const decode = (text, array) => "
    "new array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);"
)


def emit(module: ir.Module, inputs: Sequence[Leaf], outputs: Sequence[Leaf]) -> str:
    """Prints a module.

    The result is self-contained, has one export, ``evaluate``, and makes its scratch buffers
    once, when it is loaded.
    """
    printer = _Printer()
    body = list(printer.statements(module.body, 1))
    head = [
        f"// {_words(module.name)}, traced by JAX.",
        *(f"//   in   {_words(leaf.name)}: {leaf.dtype}{list(leaf.shape)}" for leaf in inputs),
        *(f"//   out  {_words(leaf.name)}: {leaf.dtype}{list(leaf.shape)}" for leaf in outputs),
    ]
    scratch = [f"const {b.name} = {printer.buffer(b)};" for b in module.buffers]
    made = [f"  const {b.name} = new {ARRAYS[b.dtype]}({b.size});" for b in module.outputs]
    helpers = [text for name, text in HELPERS.items() if name in printer.helpers]
    if printer.decodes:
        helpers.append(DECODE)
    parameters = ", ".join(each.name for each in module.inputs)
    numbers = [
        f"  {i.name} = {ARGUMENT[i.dtype].format(i.name)};"
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
    """Refuses too few or too many arguments, and arrays of another length."""
    takes = (
        f"{_words(module.name)} takes {len(inputs)}: {', '.join(i.name for i in inputs)}; given "
    )
    given = "arguments.length"
    yield f"  if ({given} !== {len(inputs)}) throw new TypeError({_quoted(takes)} + {given});"
    for leaf, i in zip(inputs, module.inputs, strict=True):
        if isinstance(i, ir.Buffer):
            takes, given = f"{leaf.name} takes {i.size} numbers; given ", f"{i.name}.length"
            yield f"  if ({given} !== {i.size}) throw new TypeError({_quoted(takes)} + {given});"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _words(name: str) -> str:
    """A name on one line, to stand in a comment."""
    return " ".join(name.split())


class _Printer:
    def __init__(self) -> None:
        self.helpers: set[str] = set()
        self.decodes = False

    def buffer(self, buffer: ir.Buffer) -> str:
        array = ARRAYS[buffer.dtype]
        if buffer.data is None:
            return f"new {array}({buffer.size})"
        written = [
            f"{array}.of({', '.join(_number(x, buffer.dtype) for x in buffer.data.tolist())})"
        ]
        if digits := _digits(buffer.data):
            written.append(f'{array}.from("{digits}", Number)')
        elif buffer.size > 8:
            stored = np.asarray(buffer.data).astype(STORED[buffer.dtype]).tobytes()
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
                    self.helpers.update(operations.needed(helper))
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
                case ir.Loop([ir.Stop(unless), *body]):
                    yield f"{pad}while ({self.expression(unless)}) {{"
                    yield from self.statements(body, depth + 1)
                    yield f"{pad}}}"
                case ir.Loop(body):
                    yield f"{pad}while (true) {{"
                    yield from self.statements(body, depth + 1)
                    yield f"{pad}}}"
                case ir.Stop(unless):
                    stop, _ = put("!{0}", self._tightly(unless))
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
        """Prints an expression."""
        return self._tightly(node)[0]

    def _tightly(self, node: ir.Expression) -> tuple[str, int]:
        """Prints an expression, with how tightly it holds together."""
        match node:
            case ir.Number(value, dtype):
                text = _number(value, dtype)
                return text, PREFIX if text.startswith("-") else ATOM
            case ir.Local(name):
                return name, ATOM
            case ir.Load(buffer, index, _):
                return f"{buffer.name}[{self.expression(index)}]", ATOM
        form = operations.form(node.operation, node.arguments[0].dtype)
        self.helpers.update(name for helper in form.helpers for name in operations.needed(helper))
        text, tight = put(form.text, *(self._tightly(argument) for argument in node.arguments))
        rounding = operations.ROUNDING.get(node.dtype)
        kept = form.text == "{0}" and node.arguments[0].dtype == node.dtype
        if form.text == "{0}":  # a conversion that JavaScript does not need
            tight = self._tightly(node.arguments[0])[1]
        if form.exact or kept or rounding is None:
            return text, tight
        return put(rounding, (text, tight))


def _digits(data: np.ndarray) -> str:
    """An array of the integers 0 to 9 as a string; empty where it holds anything else."""
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
