"""The XLLVM dialect: the processor's own instructions, in the generic form only.

The library knows the meaning of one instruction. About 300 others are only read and printed: `declare_instructions` declares
those that a text uses, with their operands and results in that text.
"""

from __future__ import annotations

import re

from allo_air.core.contexts import retire
from allo_air.dialects._fields import I32, TypeRule, operand, result
from allo_air.dialects._irdl import Dialect
from allo_air.dialects._op import Op
from allo_air.mlir import ir, irdl

_BYTES = TypeRule("irdl.is vector<64xi8>", "vector<64xi8>")
_WORDS = TypeRule("irdl.is vector<16xi32>", "vector<16xi32>")
_ACCUMULATOR = TypeRule("irdl.is vector<16xi64>", "vector<16xi64>")
_USE = re.compile(r'(=\s*)?"xllvm\.(intr\.[\w.]+)"\s*\(([^()]*)\)')
_RESULTS = re.compile(r"%[\w$.-]+(?::(\d+))?\s*(?:,\s*%[\w$.-]+(?::\d+)?\s*)*\Z")


class MacConfAcc32Op(Op, name="xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"):
    """AIE2's matrix multiply-accumulate of integers into 32-bit sums; `conf` selects its form (`allo_air.dialects.mac`)."""

    lhs = operand(_BYTES)
    rhs = operand(_WORDS)
    acc = operand(_ACCUMULATOR)
    conf = operand(I32)
    out = result(_ACCUMULATOR)
    traits = ("pure",)


XLLVM = Dialect("xllvm", types={}, attributes={})


def declare_instructions(context: ir.Context, text: str) -> None:
    """Declares in `context` the instructions in `text` that are not declared yet."""
    if '"xllvm.intr.' not in text:
        return
    results: dict[str, tuple[int, int]] = {}
    for use in _USE.finditer(text):
        name = use[2]
        line = text[text.rfind("\n", 0, use.start()) + 1 : use.start()]
        if "//" not in line and name not in results:
            operands = len([value for value in use[3].split(",") if value.strip()])
            results[name] = operands, _results_named(line) if use[1] else 0
    declare(context, results)


def declare(context: ir.Context, items: dict[str, tuple[int, int]]) -> None:
    """Declares instructions in `context`, by their names after `xllvm.`, with their numbers of operands and results."""
    items = {name: counts for name, counts in items.items() if not context.is_registered_operation(f"xllvm.{name}")}
    if not items:
        return
    retire(context)
    body = "".join(_declaration(number, *counts) for number, counts in enumerate(items.values()))
    with context, ir.Location.unknown(context):
        module = ir.Module.parse(f"irdl.dialect @xllvm {{ {body} }}")
        [dialect] = module.body.operations
        for op, name in zip(dialect.regions[0].blocks[0].operations, items, strict=True):
            op.attributes["sym_name"] = ir.StringAttr.get(name)
        irdl.load_dialects(module)


def _results_named(line: str) -> int:
    """The number of results on the line that ends before `=`: one for `%0`, two for `%0:2` or `%a, %b`."""
    match = _RESULTS.search(line)
    names = re.findall(r"%[\w$.-]+(?::(\d+))?", match[0]) if match else []
    return sum(int(count or 1) for count in names)


def _declaration(number: int, operands: int, results: int) -> str:
    parts = []
    for kind, count in (("operands", operands), ("results", results)):
        parts += [f"%{kind}{i} = irdl.any" for i in range(count)]
        if count:
            parts.append(f"irdl.{kind}({', '.join(f'{kind}{i}: %{kind}{i}' for i in range(count))})")
    return f"irdl.operation @op{number} {{ {chr(10).join(parts)} }}\n"
