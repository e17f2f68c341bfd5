"""The output of the writer: its lines, the operations whose regions are being copied, and the constants in it.

Custom assembly shows some operands as literals; a constant that no other operation uses is then left out. Where it shows an
operand for a number that is an attribute in memory, the operand's constant is defined before the operation.
"""

from __future__ import annotations

import re

from allo_air.asm.constants import ConstantNames, SequenceConstants
from allo_air.asm.names import Names
from allo_air.asm.state import State
from allo_air.dialects.states import MARCH

DEFINED = re.compile(r" *(%[^=]*) = ")
_CONSTANT = re.compile(
    r" *(%[\w$.-]+) = (?:arith\.constant (-?\d+) : (?:index|i64)\b|"
    r'"arith\.constant"\(\) <\{value = (-?\d+) : (?:index|i64)\}>)'
)
_AMOUNT = re.compile(r' *(%[\w$.-]+) = (?:arith\.constant (-?\d+) : i32\b|"arith\.constant"\(\) <\{value = (-?\d+) : i32\}>)')
_OWNERS = frozenset({"aie.core", "aie.mem", "aie.memtile_dma", "aie.shim_dma", "aie.bd_chain"})
"""Operations that contain the constants of their bodies: no DMA program or core uses constants of another."""


class Frame:
    """An operation whose regions are being copied."""

    __slots__ = ("constants", "indent", "label", "line", "names", "ours", "regions", "results", "state")

    def __init__(self, indent: int, state: State | None, line: int, results: str) -> None:
        self.indent = indent
        self.state = state
        self.line = line  # the position of its head in the output
        self.results = results
        self.regions: list[tuple[int, int]] = []  # output lines of the finished regions
        self.label = ""  # the entry block's arguments, if the custom form shows them in the head
        self.names: tuple[dict[str, str], set[str]] | None = None
        self.constants: dict[str, str] = {}  # definitions of the constants that the operations inside use, by name


class Output:
    """Lines, open operations and constants."""

    def __init__(self, *, generic: bool, state: str) -> None:
        self.generic = generic
        self.printed_state = state
        self.out: list[str] = []
        self.frames: list[Frame] = []
        self.names = Names(enabled=not generic)
        self.dedent = 0
        self.numbers: dict[str, tuple[int, int]] = {}  # constants of type index and i64 by name, and their lines in the output
        self.amounts: dict[str, int] = {}  # constants of type i32 by name, if March shows an amount as a literal
        self.literals: dict[int, str] = {}  # lines of those that a list shows as a literal
        self.constants = ConstantNames()  # created for operands
        self.needed: dict[str, str] = {}  # definitions of the constants that the current operation uses
        self.sequence: SequenceConstants | None = None  # constants of the current runtime sequence
        self.named_again = False  # whether a constant needed another name than its value's
        self.fresh = 0

    def note_constant(self, line: str) -> None:
        """Records the constant that a line defines. In generic text a name may be defined again and is then no constant."""
        if self.printed_state == MARCH:
            if match := DEFINED.match(line):
                self.amounts.pop(match[1], None)
                if "arith.constant" in line and (constant := _AMOUNT.match(line)):
                    self.amounts[constant[1]] = int(constant[2] or constant[3])
        elif "arith.constant" in line and (constant := _CONSTANT.match(line)):
            self.numbers[constant[1]] = int(constant[2] or constant[3]), len(self.out)
        elif self.generic and (match := DEFINED.match(line)):
            self.numbers.pop(match[1], None)

    def note_in_sequence(self, sequence: SequenceConstants, line: str) -> None:
        """Records the i32 constant that a line of a runtime sequence defines; March shows it as a literal."""
        sequence.leave(len(line) - len(line.lstrip(" ")))
        if "arith.constant" in line and (constant := _AMOUNT.match(line)):
            name = self.names.renamed.get(constant[1], constant[1])
            sequence.define(name, int(constant[2] or constant[3]), "i32")
            if self.printed_state == MARCH:
                self.literals[len(self.out)] = name

    def has_literals(self, line: str, match: re.Match[str]) -> bool:
        """Whether an operand of a line's lists is a constant, which is shown as a literal."""
        values = line[match.end() : line.index(")", match.end())].split(", ")
        return any(value in self.numbers for value in values)

    def constant_name(self, number: int, type_: str) -> str:
        """The name of a constant that is defined before the operation being written."""
        name = self.constants.name(number, type_)
        value = f"arith.constant {number} : {type_}"
        if self.generic:
            value = f'"arith.constant"() <{{value = {number} : {type_}}}> : () -> {type_}'
        self.needed[name] = f"{name} = {value}"
        return name

    def literal(self, value: str) -> str:
        """`value` itself, or its number if it is a constant."""
        if value not in self.numbers:
            return value
        number, line = self.numbers[value]
        self.literals[line] = value
        return str(number)

    def with_constants(self, text: str, constants: dict[str, str]) -> str:
        """Defines `constants` at the start of the DMA program or core around the operation `text`, or before it."""
        if self.sequence is not None:
            names, definitions = self.sequence.names(constants)
            self.named_again |= any(definition not in constants.values() for definition in definitions)
            self.out += [" " * (self.sequence.indent - self.dedent) + definition for definition in definitions]
            return re.sub(r"%[\w$.-]+", lambda match: names.get(match[0], match[0]), text)
        for frame in reversed(self.frames):
            if frame.state is not None and frame.state.decl.name in _OWNERS:
                frame.constants |= constants
                return text
        indent = " " * (len(text) - len(text.lstrip(" ")))
        for name, definition in constants.items():
            self.fresh += 1
            new = f"{name}_{self.fresh}"
            text = re.sub(rf"{re.escape(name)}(?![\w$.-])", new, text)
            text = f"{indent}{definition.replace(name, new, 1)}\n{text}"
        return text
