"""Turns MLIR's print of a module, in which the operations of AIR and AIE have the generic form, into custom assembly.

The printer puts the head of an operation, each separator of regions, and the tail on lines of their own. The writer therefore
works line by line, and copies the lines of other dialects. In the generic form, attributes are spelled as by the peers' tools,
with `<{...}>`. Parts with another form in memory (the module inside a device, `air.affine_if`) are printed like by the peers'
tools.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from allo_air.asm.attributes import to_real
from allo_air.asm.constants import ConstantNames, SequenceConstants, without_literals
from allo_air.asm.generic import REAL_NAMES, pieces
from allo_air.asm.generic_states import check_march, to_august, to_march
from allo_air.asm.names import renumber
from allo_air.asm.notation import format_of
from allo_air.asm.output import DEFINED, Frame, Output
from allo_air.asm.signature import distribute, read_signature
from allo_air.asm.spacing import spaced
from allo_air.asm.state import State
from allo_air.asm.templates import Templates
from allo_air.asm.text import split_top
from allo_air.dialects import declared
from allo_air.dialects.air_values import LITERAL_LISTS
from allo_air.dialects.states import MARCH

if TYPE_CHECKING:
    from allo_air.dialects._fields import Value

_HEAD = re.compile(r'( *)((?:%[^=]* = )?)"([a-z]\w*(?:\.\w+)+)"\(([^()]*)\)(?:\[([^\]]*)\])?')
_ID = re.compile(r"(?<=[{ ])id = (\d+) : (\w+)(?=[,}])")
_OURS = ("a", "transform.air.")
_LABEL = re.compile(r" *\^\w+\((.*)\):")
_LOC = re.compile(r" (loc\((?:#\w+|[^#].*)\))\Z")
_WITH_AMOUNT = re.compile(r'"aie\.use_lock"\(%[^,()]+, %')
_WITH_LISTS = re.compile(r'"(?:air\.dma_memcpy_nd|air\.channel\.(?:put|get)|airrt\.dma_memcpy_nd)"\(')
_SHOW_ARGUMENTS = ("hierarchy", "arguments_region", "sequence_region")
_SEQUENCE = "aie.runtime_sequence"


class Writer(Output):
    """Rewrites one printed module."""

    def __init__(self, *, generic: bool, state: str, keep_numbers: bool = False) -> None:
        super().__init__(generic=generic, state=state)
        self.keep_numbers = keep_numbers  # whether values defined in the outermost module stay unnamed
        self.templates = Templates()
        self.signatures: dict[str, Any] = {}
        self.learning = False  # whether one line is written for a template
        self._writing: Any = None
        self.block_arguments: list[str] = []
        self.block_argument_types: list[str] = []

    def run(self, text: str) -> str:
        self.names.reserve(text)
        self.constants = ConstantNames(text)
        for line in text.split("\n"):
            self.line(line)
        if self.literals or self.named_again:
            self.out = without_literals(self.out, self.literals)
        return renumber(self.out) if self.names.gaps else "\n".join(self.out)

    def line(self, line: str) -> None:
        if self.sequence is not None:
            self.note_in_sequence(self.sequence, line)
        if self.frames:
            stripped = line.lstrip(" ")
            if stripped[:1] in ("b", "}") and self._hidden(stripped, len(line) - len(stripped)):
                return
            first = stripped[:1]
            if first == "}" and self._end(line, len(line) - len(stripped), stripped):
                return
            if first == "^" and self._takes_label(stripped):
                return
        if '"a' in line or '"transform.air.' in line or '"builtin.module"' in line or line.endswith("({"):
            if line[-1] != "{" and (text := self._from_template(line)) is not None:
                self.out.append(" " * (len(line) - len(line.lstrip(" ")) - self.dedent) + text)
                return
            match = _HEAD.match(line)
            if match is not None and self._begin(line, match):
                return
        if " = " in line:
            self.note_constant(line)
        self.out.append(self._rendered(line))

    def _from_template(self, line: str) -> str | None:
        """The custom form of a line with one of our operations, if its template is known."""
        if match := DEFINED.match(line):
            self.names.forget(match[1])
        if self.printed_state != MARCH and self.numbers and (lists := _WITH_LISTS.search(line)):
            if '"air.' in line and LITERAL_LISTS not in line:
                return self._templated(line)
            return None if self.has_literals(line, lists) else self._templated(line)
        if self.printed_state == MARCH and _WITH_AMOUNT.search(line):
            return None
        return self._templated(line)

    def _templated(self, line: str) -> str | None:
        text = self.templates.rewrite(line.lstrip(" "), self._rewrite_line, self.names.renamed)
        if text is not None and (constants := self.templates.notes.get(self.templates.shape)):
            text = self.with_constants(text, constants)
        return text

    def _rewrite_line(self, line: str) -> str | None:
        """Rewrites an operation that is alone on its line and has no regions; None if its results need names, or if it is not
        of our dialects.
        """
        match = _HEAD.match(line)
        op = declared(match[3]) if match is not None and match[3].startswith(_OURS) else None
        if match is None or op is None or op.DECL.regions or (op.DECL.result_name is not None and not self.generic):
            return None
        writer = Writer(generic=self.generic, state=self.printed_state)
        writer.constants, writer.learning = self.constants, True
        writer._begin(line, match)
        self.templates.note = writer.needed
        return writer.out[0]

    # Operations.

    def _begin(self, line: str, match: re.Match[str]) -> bool:
        op = declared(match[3]) if match[3].startswith(_OURS) else None
        rest = line[match.end() :]
        opens = rest == " ({"
        if opens and self._holds_region(match[3]):
            self._enter_region(len(match[1]))
            return True
        if op is None:
            if opens:
                self._copy_region_head(line, match)
            return opens
        state = State(op.DECL, self)
        flat = self.names.values(match[4])
        state.names = flat
        state.successors = dict(zip((s.name for s in op.DECL.successors), split_top(match[5] or ""), strict=False))
        frame = Frame(len(match[1]), state, len(self.out), match[2])
        if opens:
            self.frames.append(frame)
            self.out.append("")
            if match[3] == _SEQUENCE:
                self.sequence = SequenceConstants()
            if match[3] == "aie.device":
                self.dedent += 2
                frame.names = self.names.enter_device()
            return True
        self._finish(frame, rest)
        return True

    def _holds_region(self, name: str) -> bool:
        """Whether operation `name` contains a region of the innermost open operation and is not printed."""
        return bool(self.frames) and (state := self.frames[-1].state) is not None and state.decl.region_holder == name

    def _enter_region(self, indent: int) -> None:
        if self.frames[-1].regions:
            self.out.append("")  # the position of the text between two regions
        frame = Frame(indent, None, len(self.out), "")
        frame.label = "region"
        self.frames.append(frame)
        self.dedent += 2

    def _copy_region_head(self, line: str, match: re.Match[str]) -> None:
        """A region of an operation that is not ours, printed in generic form."""
        frame = Frame(len(match[1]), None, len(self.out), "")
        self.frames.append(frame)
        if match[3] == "builtin.module" and len(self.frames) > 1 and _is_device(self.frames[-2]):
            frame.label = "module"
        else:
            self.out.append(self._rendered(line))

    def _hidden(self, stripped: str, indent: int) -> bool:
        """Whether a line at `indent` begins or ends the module inside a device."""
        if not _is_device(self.frames[-1]) or indent != self.frames[-1].indent + 2:
            return False
        return stripped == "builtin.module {" or stripped == "}" or stripped.startswith("} loc(")

    def _rendered(self, line: str) -> str:
        line = line if self.generic else self.names.apply(line)
        line = to_real(line) if "#aie" in line else line
        return line[self.dedent :] if self.dedent else line

    def _end(self, line: str, indent: int, stripped: str) -> bool:
        """A line that closes a region of the innermost open operation, or begins its next one."""
        frame = self.frames[-1]
        if indent != frame.indent or stripped[:2] not in ("})", "},"):
            return False
        if frame.state is None:
            if stripped[:2] == "})":
                self.frames.pop()
                if frame.label == "region":
                    self.dedent -= 2
                    self._close_region(self.frames[-1])
                    return True
                if frame.label == "module":
                    self.out.append(" " * (indent - self.dedent) + '  "aie.end"() : () -> ()')
                    return True
            self.out.append(self._rendered(line))
            return True
        if frame.state.decl.region_holder is None:
            self._close_region(frame)
        if stripped[:2] == "},":
            frame.regions[-1] = (frame.regions[-1][0], len(self.out))
            self.out.append("")
            return True
        self.frames.pop()
        if frame.state.decl.name == _SEQUENCE:
            self.sequence = None
        if _is_device(frame):
            self.dedent -= 2
            self.names.leave_device(frame.names)
        self._finish(frame, stripped[2:])
        return True

    def _close_region(self, frame: Frame) -> None:
        start = frame.regions[-1][1] + 1 if frame.regions else frame.line + 1
        terminator = frame.state.decl.terminator if frame.state else None
        if terminator and not self.generic and len(self.out) > start:
            text = REAL_NAMES.get(terminator, terminator)
            if _LOC.sub("", self.out[-1]).strip() == text:
                self.out.pop()
        frame.regions.append((start, len(self.out)))

    def _takes_label(self, stripped: str) -> bool:
        """Reads the label of an entry block whose arguments are printed in the operation's head."""
        frame = self.frames[-1]
        if frame.state is None or self.generic or frame.regions or len(self.out) != frame.line + 1:
            return False
        if not any(shown in frame.state.decl.assembly for shown in _SHOW_ARGUMENTS):
            return False
        frame.label = stripped
        return True

    # Heads and tails.

    def _finish(self, frame: Frame, rest: str) -> None:
        """Writes an operation whose regions are copied; `rest` is ` {attributes} : types`."""
        state = frame.state
        assert state is not None
        self._writing = frame
        location = ""
        if rest.endswith(")") and " loc(" in rest and (match := _LOC.search(rest)):
            location, rest = f" {match[1]}", rest[: match.start()]
        inputs, results = self._signature(state, rest)
        distribute(state, inputs, results)
        if self.generic:
            if self.printed_state == MARCH:
                to_march(state)
                inputs = inputs[: len(state.names)]
            elif len(state.decl.assemblies) > 1:
                inputs = to_august(state)
            parts = pieces(state, inputs, results, self.region_count())
        else:
            self._arguments(frame)
            parts = self._custom_pieces(state)
        keep_names = self.generic or (self.keep_numbers and not self.frames)
        names = frame.results if keep_names else self.names.define(frame.results, state, len(results))
        self._place(frame, names, parts, location)

    def _signature(self, state: State, rest: str) -> tuple[list[str], list[str]]:
        """Takes the attributes into `state`; returns operand and result types. Texts that differ in `id` are read once."""
        number = _ID.search(rest) if rest.count("{") == 1 else None
        key = rest[: number.start(1)] + "?" + rest[number.end(1) :] if number else rest
        if key not in self.signatures:
            self.signatures[key] = read_signature(rest)
        attrs, inputs, results = self.signatures[key]
        state.attrs = attrs | {"id": f"{number[1]} : {number[2]}"} if number else dict(attrs)
        return inputs, results

    def _arguments(self, frame: Frame) -> None:
        match = _LABEL.match(frame.label)
        pairs = [piece.split(": ", 1) for piece in split_top(match[1])] if match else []
        self.block_arguments = [name for name, _ in pairs]
        self.block_argument_types = [text for _, text in pairs]
        if frame.state is not None and "hierarchy" in frame.state.decl.assembly:
            self.block_argument_types = []

    def _custom_pieces(self, state: State) -> list[int | str]:
        form = format_of(state.decl.name, self.printed_state)
        if form is None:
            state.fill_defaults()
            return pieces(state, _flat(state, state.decl.operands), _flat(state, state.decl.results), self.region_count())
        if self.printed_state == MARCH:
            check_march(state)
        state.places, state.tile_prefix = self.names.places, self.names.tile_prefix
        tokens: list[int | str] = []
        for item in form.elements:
            item.print(state, tokens)
        name = state.decl.name
        return spaced(REAL_NAMES.get(name, name), tokens)

    def _place(self, frame: Frame, names: str, parts: list[int | str], location: str) -> None:
        """Inserts the pieces between the copied regions into the output."""
        indent = " " * (frame.indent - self.dedent)
        spots = [frame.line, *(end for _, end in frame.regions)]
        texts = [p for p in parts if isinstance(p, str)]
        shown = [p for p in parts if isinstance(p, int)]
        if not shown:
            del self.out[frame.line :]
            text = f"{indent}{names}{texts[0]}{location}"
            if self.needed and not self.learning:
                text, self.needed = self.with_constants(text, self.needed), {}
            self.out.append(text)
            return
        if len(shown) < len(frame.regions):  # an empty region that the custom form leaves out
            del self.out[frame.regions[len(shown)][0] - 1 :]
        self.out[frame.line] = f"{indent}{names}{texts[0]}"
        labelled = self.out[frame.line + 1].lstrip(" ").startswith("^bb0(") if frame.constants else False
        for definition in frame.constants.values():
            self.out[frame.line + labelled] += f"\n{indent}  {definition}"
        for number, text in enumerate(texts[1:-1], 1):
            self.out[spots[number]] = f"{indent}{text}"
        self.out.append(f"{indent}{texts[-1]}{location}")

    def region_count(self) -> int:
        """The number of regions of the current operation."""
        return len(self._writing.regions)

    def is_blank(self, state: State, number: int) -> bool:
        """Whether region `number` of the current operation is empty."""
        frame = self._writing
        return number >= len(frame.regions) or frame.regions[number][0] >= frame.regions[number][1]


def _is_device(frame: Frame) -> bool:
    return frame.state is not None and frame.state.decl.name == "aie.device"


def _flat(state: State, fields: tuple[Value, ...]) -> list[str]:
    return [text for field in fields for text in state.types.get(field.name, ())]
