"""Rewrites custom assembly of our dialects, mixed with MLIR's own, to the generic text that the bindings parse.

All other text is copied unchanged. A rewritten operation stays on its lines, so MLIR's line numbers are the user's.
`SourceMap` maps a column, or an offset in a rewritten line, to the original text.
"""

from __future__ import annotations

import re
from typing import Any

from allo_air.asm import generic as generic_form
from allo_air.asm.affine import AffineScope
from allo_air.asm.attributes import attribute_at
from allo_air.asm.earlier import current_name
from allo_air.asm.generic import normalize
from allo_air.asm.notation import formats_of
from allo_air.asm.regions import LOCATION, MAX_DEPTH, RegionReader
from allo_air.asm.state import State
from allo_air.asm.templates import Templates
from allo_air.asm.text import SKIP, Failure, closing_offset, resources_at
from allo_air.dialects import declared
from allo_air.dialects.states import AUGUST, STATES
from allo_air.errors import position

_MASTER = re.compile(
    r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|//[^\n]*|[{}]|#aie[.<]\w+|(?:airrt|air|aievec_aie1|aievec|aiex|aie|transform\.air)\.[A-Za-z_0-9.]+'
    r"|affine\.(?:if|for|load|store|vector_load|vector_store|yield)\b|loc\s*\("
)
_NOT_BEFORE = frozenset('$.%#@!^-"_')
_ASSIGNED = re.compile(r"\s*=(?!=)")
_PREFIX = re.compile(r"(?:%[\w$.-]+(?::\d+)?\s*,\s*)*%[\w$.-]+(?::\d+)?\s*=\s*\Z")
_TAIL = re.compile(r"\s*(?:loc\(.*\)\s*)?(?://.*)?\Z")
_WORDS = (
    "attributes|loc|operands|label|event|broadcast|on|for|into|channels|locks|buffer_size|packet_type|id|type|port|channel|direction|"
    "trigger|field|value|mask|comment|repeat|bd_id|addr"
)
_CONTINUED = re.compile(SKIP + rf"(?:[{{:,(\[=<-]|(?:{_WORDS})\b(?![.(]))")
_OPEN = frozenset({"aiex.npu.writebd", "aiex.token"})
"""Operations with many attributes, not all of which are declared."""
_KEPT = frozenset({"task_id", "controller_id", "segment_unroll_x", "segment_unroll_y"})
"""Attributes that passes leave for other tools; they do not affect the behaviour of the array."""
_AMOUNT = re.compile(r"(aie\.use_lock\(%[\w$.-]+, \w+, )(%[\w$.-]+)\)")
_NOT_BY_LINE = frozenset({"air.affine_yield", "aie.end"})
_NAMED = frozenset({"aie.lock", "aie.buffer"})
"""Operations whose SSA names are stored in their locations, so that findings use the names of the file."""
_RESULT = re.compile(r"(%[\w$.-]+)\s*=\s*\Z")


class Reader(RegionReader):
    """Rewrites one file. Chunks of output are strings, and integers: the source offset of the next string."""

    def __init__(self, text: str, filename: str) -> None:
        super().__init__(text)
        self.filename = filename
        self.end = resources_at(text)
        self.affine = AffineScope(self)
        self.templates = Templates()
        self.unknown: set[tuple[str, str]] = set()  # operations and their unknown attributes
        self.state = AUGUST  # the syntax state of the text so far
        self.state_known = False  # whether an operation has determined it

    def run(self) -> list[int | str]:
        """The whole text in chunks."""
        return self.scan(nested=False)

    def scan(self, *, nested: bool) -> list[int | str]:
        """Copies and rewrites the text up to its end, or to the `}` of the region, which is not consumed."""
        text, cur = self.text, self.cur
        search = _MASTER.search
        in_device = nested and self.owners[-1] == "aie.device"
        out: list[int | str] = []
        start = pos = cur.pos
        depth = 0
        self.last_op = ("", -1)
        while match := search(text, pos, self.end):
            token = match[0]
            first = token[0]
            pos = match.end()
            if first == "{":
                depth += 1
                if depth + len(self.owners) > MAX_DEPTH:
                    raise Failure(match.start(), f"nesting deeper than {MAX_DEPTH} levels is not read")
                continue
            if first == "}":
                if depth == 0 and nested:
                    out += [start, text[start : match.start()]]
                    cur.pos = match.start()
                    return out
                depth -= 1
                continue
            if first == "/":
                continue
            if first == "#":
                rewritten, pos = attribute_at(text, match.start())
                out += [start, text[start : match.start()], match.start(), rewritten]
                start = pos
                self.moved_until = self.line_end(pos)
                continue
            if first == "l":  # a location, which may contain names and strings that look like operations
                if text[match.start() - 1] not in "_.$":
                    pos = closing_offset(text, pos - 1)
                continue
            where = match.start()
            name = self._operation_name(token, where, pos, depth)
            if name is None:
                continue
            out += [start, text[start:where]]
            if first != '"' and where >= self.moved_until and (done := self._from_template(name, where)) is not None:
                rewritten, start = done
                out += (where, rewritten)
                pos = start
                self.last_op = (name, pos) if depth == 0 else ("", -1)
                continue
            cur.pos = pos
            chunks = self.operation(name, where, generic=first == '"')
            if self.pending:
                self._define_before(out)
            if name == "aie.end" and in_device and depth == 0:
                out.append("\n" * text.count("\n", where, cur.pos))
            else:
                out += chunks
                self.last_op = (name, cur.pos) if depth == 0 else ("", -1)
            start = pos = cur.pos
        if nested:
            raise Failure(len(text), "expected '}' to close the region before the end of the file")
        out += [start, text[start:]]
        cur.pos = len(text)
        return out

    def _from_template(self, name: str, where: int) -> tuple[str, int] | None:
        """The operation at `where` and the end of its line, if it occupies the rest of the line and a template exists for its
        shape.
        """
        op = declared(name)
        if op is None or op.DECL.regions or name in _NOT_BY_LINE or name in _NAMED:
            return None
        end = self.line_end(where)
        if _CONTINUED.match(self.text, end):
            return None
        line = self.text[where:end].rstrip()
        if name == "aie.use_lock":
            line = self._with_amount(line)
        rewritten = self.templates.rewrite(line, self._rewrite_line)
        if rewritten is None:
            return None
        self.moved_until = end
        return rewritten, end

    def _with_amount(self, line: str) -> str:
        """A use_lock with its amount as a number, as March spells it: templates read that, and the result is the same."""
        if (match := _AMOUNT.match(line)) and (amount := self.constant_of(match[2])) is not None:
            return f"{match[1]}{amount}{line[match.end(2) :]}"
        return line

    def _rewrite_line(self, line: str) -> str | None:
        """Rewrites an operation that is alone on its line; None if more text is needed, or if it cannot be read."""
        reader = Reader(line, self.filename)
        reader.owners = self.owners
        reader.state = self.state
        try:
            token = _MASTER.match(line)
            name = current_name(token[0].rstrip(".")) if token else ""
            reader.cur.pos = token.end() if token else 0
            chunks = reader.operation(name, 0, generic=False)
        except Failure:
            return None
        rest = line[reader.cur.pos :]
        self.unknown |= reader.unknown
        if reader.looked_up or reader.pending or "\n" in rest or not _TAIL.match(rest):
            return None
        return "".join(chunk for chunk in chunks if isinstance(chunk, str)) + rest

    def _operation_name(self, token: str, where: int, end: int, depth: int) -> str | None:
        """The name of the operation that begins with `token` at `where`; None if the token is a name inside another
        operation.
        """
        text = self.text
        if token[0] == '"':
            name = token[1:-1]
            if not name.startswith(("air", "aie", "affine.", "transform.air.")) or text[end : end + 1] != "(":
                return None
            if name.startswith("affine."):
                return self.affine.generic_name(name, depth)
            name = current_name(name)
        else:
            before = text[where - 1] if where else " "
            if before.isalnum() or before in _NOT_BEFORE or _ASSIGNED.match(text, end):
                return None
            if token.startswith("affine."):
                return self.affine.custom_name(token, depth, end)
            name = current_name(token.rstrip("."))
        return name if declared(name) is not None else None

    def _define_before(self, out: list[Any]) -> None:
        """Inserts the pending definitions before the operation's statement, whose results are already in `out`."""
        copied = out[-1]
        prefix = _PREFIX.search(copied)
        position = prefix.start() if prefix else len(copied)
        out[-1:] = [copied[:position], "".join(f"{text} " for text in self.pending), out[-2] + position, copied[position:]]
        self.pending.clear()

    def operation(self, name: str, start: int, *, generic: bool) -> list[Any]:
        """Reads the operation whose name ends at the cursor; its generic text in chunks."""
        if name.startswith("affine."):
            return self.affine.rewrite(name, start)
        op = declared(name)
        assert op is not None
        st = State(op.DECL, self)
        moved = start < self.moved_until
        if generic:
            head, tail = generic_form.read(self, st, start)
        else:
            st = self._custom(st, start)
            normalize(st)
            head = st.header()
            tail = self._tail(st, start)
        self._note_unknown(st)
        called = _RESULT.search(self.text, self.text.rfind("\n", 0, start) + 1, start) if name in _NAMED else None
        if (moved or self.pending or called) and not LOCATION.match(self.text, self.cur.pos):
            tail += self.location(start, f"{name} {called[1]}" if called else "")
        self.moved_until = self.line_end(self.cur.pos)
        return self._assemble(st, start, head, tail)

    def _note_unknown(self, st: State) -> None:
        """Records unknown attributes of an AIE operation: its own, not those of other dialects."""
        decl = st.decl
        if decl.name.startswith("aie") and decl.name not in _OPEN:
            own = (n for n in st.attrs if n not in decl.attrs and "." not in n and not n.endswith("SegmentSizes"))
            self.unknown |= {(decl.name, name) for name in own if name not in _KEPT}

    def _custom(self, st: State, start: int) -> State:
        """Reads the custom form at the cursor; if states differ, the newest is tried first, since it does not match older
        text."""
        forms = formats_of(st.decl.name)
        if not forms:
            raise Failure(start, f"'{st.decl.name}' has no custom assembly; write it in the generic form")
        if len(forms) == 1:
            for item in next(iter(forms.values())).elements:
                item.parse(self.cur, st)
            return st
        position, pending = self.cur.pos, len(self.pending)
        failures = []
        for since in forms:
            state = State(st.decl, self)
            try:
                for item in forms[since].elements:
                    item.parse(self.cur, state)
            except Failure as failure:
                failures.append((failure, since))
                self.cur.pos = position
                del self.pending[pending:]
                continue
            self.state, self.state_known = since, self.state_known or bool(failures)
            return state
        furthest, since = max(failures, key=lambda pair: pair[0].pos)
        raise Failure(furthest.pos, f"{furthest.message} ({self._spelled(since)})")

    def _spelled(self, since: str) -> str:
        """The syntax in which the unreadable operation was read, and the syntax of the text around it."""
        around = f", as the text before it is, in the spelling of {self.state}" if self.state_known else ""
        return f"read in the spelling of {since}{around}; {' and '.join(STATES)} are read"

    def _tail(self, st: State, start: int) -> str:
        try:
            return st.trailer()
        except ValueError as error:
            raise Failure(start, str(error)) from None

    def _assemble(self, st: State, start: int, head: str, tail: str) -> list[int | str]:
        """The operation's chunks, with as many line ends as its text has."""
        text = self.text
        out: list[int | str] = [start, head]
        position = start
        holder = st.decl.region_holder
        opening, closing_ = (f' "{holder}"() ({{', "}) : () -> ()") if holder else ("{", "}")
        if holder:
            out.append(" ({")
        for number, (label, chunks, end) in enumerate(st.regions):
            inner, after = st.spans[number]
            before = "" if holder else ", " if number else " ("
            out.append(before + opening + label + "\n" * text.count("\n", position, inner))
            out += chunks
            out.append(end + closing_)
            position = after
        lines = "\n" * text.count("\n", position, self.cur.pos)
        out.append(("})" if holder else ")" if st.regions else "") + tail + lines)
        return out

    def location(self, start: int, name: str = "") -> str:
        """An explicit location for an operation whose column moves, or for a value that is called `name`."""
        line, column = self.line_column(start)
        place = position(self.filename, line, column)
        return f' loc("{name}"({place}))' if name else f" loc({place})"
