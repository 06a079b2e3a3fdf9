"""The last step: loops over buffers become the text of an ES module."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable, Sequence

import numpy as np

from gradlab.program import ir
from gradlab.program.trace import Leaf

ARRAYS = {
    "float64": "Float64Array",
    "float32": "Float32Array",
    "int64": "Float64Array",
    "int32": "Int32Array",
    "bool": "Uint8Array",
}
INFIX = {
    "index_add": "+", "index_mul": "*", "add": "+", "sub": "-", "mul": "*", "div": "/",
    "eq": "===", "ne": "!==", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip
MATHS = (
    "abs",
    "cos",
    "exp",
    "expm1",
    "floor",
    "log",
    "log1p",
    "max",
    "min",
    "sign",
    "sin",
    "sqrt",
    "tan",
    "tanh",
)
HELPERS = {
    "logistic": "const logistic = (x) => 1 / (1 + Math.exp(-x));",
    "rsqrt": "const rsqrt = (x) => 1 / Math.sqrt(x);",
    "integer_div": "const integer_div = (a, b) => (b === 0 ? -1 : Math.trunc(a / b) + 0);",
    "decode": (
        "const decode = (text, array) => "
        "new array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);"
    ),
}


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
    helpers = [HELPERS[name] for name in sorted(printer.helpers)]
    parameters = ", ".join(each.name for each in module.inputs)
    numbers = [
        f"  {i.name} = {'Math.fround' if i.dtype == 'float32' else 'Number'}({i.name});"
        for i in module.inputs
        if isinstance(i, ir.Local)
    ]
    result = ", ".join(b.name for b in module.outputs)
    lines = [
        *head,
        *helpers,
        *scratch,
        f"export function evaluate({parameters}) {{",
        *numbers,
        *made,
        *body,
        f"  return [{result}];",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _words(name: str) -> str:
    """A name on one line, to stand in a comment."""
    return " ".join(name.split())


class _Printer:
    def __init__(self) -> None:
        self.helpers: set[str] = set()

    def buffer(self, buffer: ir.Buffer) -> str:
        array = ARRAYS[buffer.dtype]
        if buffer.data is None:
            return f"new {array}({buffer.size})"
        if buffer.size <= 16:
            return (
                f"{array}.of({', '.join(_number(x, buffer.dtype) for x in buffer.data.tolist())})"
            )
        self.helpers.add("decode")
        stored = {"int64": "<f8", "float64": "<f8", "float32": "<f4", "int32": "<i4", "bool": "u1"}
        data = np.asarray(buffer.data).astype(stored[buffer.dtype]).tobytes()
        return f'decode("{base64.b64encode(data).decode()}", {array})'

    def statements(self, block: Iterable[ir.Statement], depth: int) -> Iterable[str]:
        pad = "  " * depth
        for statement in block:
            match statement:
                case ir.Let(name, value, mutable):
                    yield f"{pad}{'let' if mutable else 'const'} {name} = {self.expression(value)};"
                case ir.Assign(name, value):
                    yield f"{pad}{name} = {self.expression(value)};"
                case ir.Store(buffer, index, value):
                    yield f"{pad}{buffer.name}[{self.expression(index)}] = {self.expression(value)};"
                case ir.For(i, count, body, reverse):
                    steps = (
                        f"let {i} = {count - 1}; {i} >= 0; {i}--"
                        if reverse
                        else f"let {i} = 0; {i} < {count}; {i}++"
                    )
                    yield f"{pad}for ({steps}) {{"
                    yield from self.statements(body, depth + 1)
                    yield f"{pad}}}"

    def expression(self, node: ir.Expression, inside: bool = False) -> str:
        """Prints an expression, in parentheses where it stands inside another."""
        match node:
            case ir.Number(value, dtype):
                text = _number(value, dtype)
                return f"({text})" if inside and text.startswith("-") else text
            case ir.Local(name):
                return name
            case ir.Load(buffer, index, _):
                return f"{buffer.name}[{self.expression(index)}]"
        if (
            node.operation == "number"
            and node.arguments[0].dtype != "bool"
            and node.dtype != "float32"
        ):
            return self.expression(node.arguments[0], inside)
        text = self._operation(node)
        return f"({text})" if inside and not _is_call(text) else text

    def _operation(self, node: ir.Apply) -> str:
        operation, dtype = node.operation, node.dtype
        kind = node.arguments[0].dtype
        a, *rest = (self.expression(argument, inside=True) for argument in node.arguments)
        if operation == "select":
            return f"{a} ? {rest[0]} : {rest[1]}"
        if kind == "bool" and operation in ("eq", "ne", "and", "or", "not"):
            logic = {"eq": "!{} === !{}", "ne": "!{} !== !{}", "and": "{} && {}", "or": "{} || {}"}
            return f"!{a}" if operation == "not" else logic[operation].format(a, *rest)
        if operation == "truth":
            return f"{a} !== 0"
        if operation == "number":
            text = f"+{a}" if kind == "bool" else a
            return (
                f"Math.fround({text})"
                if dtype == "float32" and kind not in ("bool", "float32")
                else text
            )
        if operation == "is_finite":
            return f"Number.isFinite({a})"
        if operation == "neg":
            text = f"-{a}" if dtype.startswith("float") else f"0 - {a}"
        elif operation == "div" and dtype.startswith("int"):
            self.helpers.add("integer_div")
            text = f"integer_div({a}, {rest[0]})"
        elif operation == "mul" and dtype == "int32":
            return f"Math.imul({a}, {rest[0]})"
        elif operation == "mul" and dtype == "int64":
            text = f"{a} * {rest[0]} + 0"  # an integer has no -0
        elif operation in INFIX:
            text = f"{a} {INFIX[operation]} {rest[0]}"
        elif operation in MATHS:
            text = f"Math.{operation}({', '.join([a, *rest])})"
        else:
            self.helpers.add(operation)
            text = f"{operation}({a})"
        if dtype == "int32":
            return f"({text}) | 0"
        return f"Math.fround({text})" if dtype == "float32" else text


def _is_call(text: str) -> bool:
    """Whether ``text`` is one call, ``name(...)``, and so needs no parentheses around it."""
    start = re.match(r"[\w.]+\(", text)
    depth = 0
    for position in range(start.end() - 1 if start else len(text), len(text)):
        depth += (text[position] == "(") - (text[position] == ")")
        if depth == 0:
            return position == len(text) - 1
    return False


def _number(value: float | int | bool, dtype: str) -> str:
    if dtype == "bool":
        return "true" if value else "false"
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(int(value) if dtype.startswith("int") else float(value)).removesuffix(".0")
