"""Converts a runtime sequence to a C++ function that returns its instruction words for given numbers.

Loops, branches and arithmetic of the sequence become those of the function. If a guard fails, or a pool has no BD left, the
function returns no words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.target import npu_cpp_values as values
from allo_air.target import npu_views
from allo_air.target.npu_loose import LoopSequence
from allo_air.target.npu_sequence import rule_of, without_words
from allo_air.target.npu_values import scalars
from allo_air.target.npu_words import HIGH_ARGUMENT, HIGH_BASE, MASKWRITE, PATCH, SYNC, WRITE, folded, high, stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allo_air.mlir import AnyOp, ir

_HELPERS = """\
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

"""
_POOL = """\
  auto take = [](std::vector<bool> &used) {
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i]) {
        used[i] = true;
        return static_cast<int32_t>(i);
      }
    return int32_t(-1);
  };
"""


def function_of(device_op: object, sequence: object, *, folds: bool = True) -> str:
    """The text of a C++ file with one function, called as the sequence is."""
    return _Writer(device_op, sequence, folds=folds).file()


class _Writer:
    def __init__(self, device_op: Any, sequence: Any, *, folds: bool) -> None:
        self.view, self.sequence, self.folds = sequence, LoopSequence(device_op, sequence), folds
        self.names: dict[Any, str] = {}
        self.lines: list[str] = []
        self.depth = 1
        self.pools: dict[tuple[int, int], str] = {}

    def file(self) -> str:
        used_names: set[str] = set()
        parameters = []
        for name, argument in scalars(self.view):
            parameter = _identifier(name if not name.isdigit() else f"arg{name}", used_names)
            self.names[argument] = parameter
            parameters.append(f"{values.type_of(argument.type, self.view)} {parameter}")
        for view in self.view.body.blocks[0].operations:
            self.operation(view.operation)
        device = self.sequence.device
        header = stream(device, [])
        function = _identifier(self.view.sym_name or "sequence", set())
        out = [_HELPERS, f"// The instruction words of @{self.view.sym_name or 'sequence'} for {device.name}.\n"]
        out.append(f"std::optional<std::vector<uint32_t>> {function}({', '.join(parameters)}) {{\n")
        out.append(f"  std::vector<uint32_t> words = {{{', '.join(_hex(w) for w in header)}}};\n")
        out.append("  auto put = [&](std::initializer_list<uint32_t> one) {\n")
        out.append("    words.insert(words.end(), one);\n    ++words[2];\n  };\n")
        if self.pools:
            out.append(_POOL)
        for (column, row), name in self.pools.items():
            out.append(f"  std::vector<bool> {name}({device.tile(column, row).bds});\n")
        out += [f"{line}\n" for line in self.lines]
        out.append("  words[3] = static_cast<uint32_t>(4 * words.size());\n  return words;\n}\n")
        return "".join(out)

    def say(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    def put(self, *words: object) -> None:
        self.say("put({" + ", ".join(_hex(w) if isinstance(w, int) else f"static_cast<uint32_t>({w})" for w in words) + "});")

    def name(self, value: ir.Value) -> str:
        if value not in self.names and constant_of(value) is not None:  # symbols of the device
            self.names[value] = f"({values.expression(value.owner, [])})"
        if value not in self.names:
            raise error_at(self.view, "uses a value that is computed outside of it; a function of its arguments has none")
        return self.names[value]

    def define(self, result: ir.Value, expression: str, op: AnyOp) -> None:
        self.names[result] = f"v{len(self.names)}"
        self.say(f"{values.type_of(result.type, op)} {self.names[result]} = {expression};")

    def operation(self, op: AnyOp) -> None:
        short = op.name.removeprefix("aiex.npu.").replace(".", "_")
        if op.name.startswith(_OWN) and (rule := getattr(self, f"_{short}", None)) is not None:
            rule(op)
        elif op.name.startswith("arith."):
            expression = values.expression(op, [self.name(v) for v in op.operands])
            self.define(op.results[0], expression, op)
        elif not npu_views.means_nothing(op.name):
            self.constant(op)

    def constant(self, op: AnyOp) -> None:
        """An operation without run-time values."""
        rule = rule_of(op.name)
        if rule is None or op.name.startswith("aiex.dma_"):
            raise without_words(op)
        instructions = rule(self.sequence, op.opview)
        for instruction in folded(instructions) if self.folds else instructions:
            self.put(*instruction.words())

    # Instructions with values.

    def _number(self, op: Any, name: str) -> Any:
        """The number of a field: an int, or an expression."""
        value = getattr(op.opview, f"{name}_operand")
        return getattr(op.opview, name) if value is None else self.name(value)

    def _register(self, op: Any) -> Any:
        view = op.opview
        address = self._number(op, "address")
        if view.buffer is not None:
            buffer = self.sequence.buffers.get(view.buffer)
            if buffer is None:
                raise error_at(op, f"writes into @{view.buffer}, which is not an aie.buffer of the device")
            column, row = self.sequence.place(view, buffer.tile)
            base = self.sequence.device.address(column, row, self.sequence.buffer_address(view, buffer))
            return base + 4 * address if isinstance(address, int) else f"{base}u + 4u * {_u32(address)}"
        if view.column is None or view.row is None:
            return address
        if isinstance(address, int):
            return self.sequence.device.address(view.column, view.row, address & 0xFFFFF)
        return f"{self.sequence.device.address(view.column, view.row, 0)}u | ({_u32(address)} & 0xFFFFFu)"

    def _write32(self, op: object) -> None:
        self.put(WRITE, 0, self._register(op), 0, self._number(op, "value"), 24)

    def _maskwrite32(self, op: object) -> None:
        self.put(MASKWRITE, 0, self._register(op), 0, self._number(op, "value"), self._number(op, "mask"), 28)

    def _address_patch(self, op: AnyOp) -> None:
        plus = self._number(op, "arg_plus")
        if self.folds and op.opview.arg_idx >= HIGH_ARGUMENT:
            if not isinstance(plus, int):
                self.say(f"if ({_u32(plus)} >= {HIGH_BASE}u) return std::nullopt;")
            plus = high(op.opview.arg_idx, plus) if isinstance(plus, int) else f"{_u32(plus)} + {HIGH_BASE}u"
        self.put(PATCH, 48, 0, 0, 0, 0, self._number(op, "addr"), 0, op.opview.arg_idx, 0, plus, 0)

    def _sync(self, op: object) -> None:
        n = {name: _u32(self._number(op, name)) for name in _SYNC}
        first = f"{n['direction']} | {n['row']} << 8 | {n['column']} << 16"
        self.put(SYNC, 16, first, f"{n['row_num']} << 8 | {n['column_num']} << 16 | {n['channel']} << 24")

    def _assert_bd_field(self, op: AnyOp) -> None:
        value = self.name(op.operands[0])
        self.say(f"if ({value} < 0 || {value} > {op.attributes['max'].value}) return std::nullopt;")

    def _assert_bd_divisible(self, op: AnyOp) -> None:
        value = self.name(op.operands[0])
        unit = f" && {value} != 1" if "allow_unit" in op.attributes else ""
        self.say(f"if ({value} % {op.attributes['divisor'].value} != 0{unit}) return std::nullopt;")

    def _aiex_dma_bd_pool_pop(self, op: AnyOp) -> None:
        self.define(op.results[0], f"take({self._pool(op)})", op)
        self.say(f"if ({self.name(op.results[0])} < 0) return std::nullopt;")

    def _aiex_dma_bd_pool_push(self, op: AnyOp) -> None:
        self.say(f"{self._pool(op)}.at({self.name(op.operands[0])}) = false;")

    def _pool(self, op: AnyOp) -> str:
        column, row = op.attributes["column"].value, op.attributes["row"].value
        return self.pools.setdefault((column, row), f"pool_{column}_{row}")

    # Loops and branches.

    def _scf_for(self, op: AnyOp) -> None:
        lower, upper, step, *inits = [self.name(v) for v in op.operands]
        block = op.regions[0].blocks[0]
        counter, *carried = block.arguments
        self._results(op, inits)
        self.names[counter] = f"i{len(self.names)}"
        kind, name = values.type_of(counter.type, op), self.names[counter]
        self.say(f"for ({kind} {name} = {lower}; {name} < {upper}; {name} += {step}) {{")
        for argument, result in zip(carried, op.results, strict=True):
            self.names[argument] = self.names[result]
        self._block(block, op.results)
        self.say("}")

    def _scf_if(self, op: AnyOp) -> None:
        self._results(op, ["0"] * len(op.results))
        self.say(f"if ({self.name(op.operands[0])}) {{")
        self._block(op.regions[0].blocks[0], op.results)
        if len(op.regions[1].blocks):
            self.say("} else {")
            self._block(op.regions[1].blocks[0], op.results)
        self.say("}")

    def _scf_index_switch(self, op: AnyOp) -> None:
        self._results(op, ["0"] * len(op.results))
        self.say(f"switch ({self.name(op.operands[0])}) {{")
        cases = [f"case {n}:" for n in op.attributes["cases"]]
        for label, region in zip(["default:", *cases], op.regions, strict=True):
            self.say(f"{label} {{")
            self._block(region.blocks[0], op.results)
            self.say("  break;")
            self.say("}")
        self.say("}")

    def _results(self, op: AnyOp, inits: list[str]) -> None:
        for result, init in zip(op.results, inits, strict=True):
            self.define(result, init, op)

    def _block(self, block: ir.Block, results: Sequence[ir.Value]) -> None:
        """The operations of a block; the yielded values are assigned to the names `results`, all at once."""
        self.depth += 1
        *inside, last = [view.operation for view in block.operations]
        for op in inside:
            self.operation(op)
        names: list[str] = []
        for value, result in zip(last.operands, results, strict=True):
            names.append(f"y{len(self.names)}_{len(names)}")
            self.say(f"{values.type_of(result.type, last)} {names[-1]} = {self.name(value)};")
        for name, result in zip(names, results, strict=True):
            self.say(f"{self.names[result]} = {name};")
        self.depth -= 1


_OWN = (
    "aiex.npu.write32", "aiex.npu.maskwrite32", "aiex.npu.address_patch", "aiex.npu.sync", "aiex.npu.assert_bd_",
    "aiex.dma_bd_pool_", "scf.",
)  # fmt: skip
_SYNC = ("direction", "row", "column", "row_num", "column_num", "channel")


def _u32(number: object) -> str:
    return f"{number & 0xFFFFFFFF}u" if isinstance(number, int) else f"static_cast<uint32_t>({number})"


def _hex(number: int) -> str:
    return f"0x{number & 0xFFFFFFFF:08x}u"


def _identifier(name: str, used_names: set[str]) -> str:
    """`name` as a C++ identifier that is not in `used_names`."""
    identifier = re.sub(r"\W", "_", name)
    if (
        not re.match(r"[A-Za-z]", identifier)
        or identifier in values.WORDS
        or re.fullmatch(r"([viy]|pool_)\d+(_\d+)?", identifier)
    ):
        identifier = f"the_{identifier}"
    while identifier in used_names:
        identifier += "_"
    used_names.add(identifier)
    return identifier
