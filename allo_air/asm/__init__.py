"""Assembly of our dialects: `read` and `write` a module in the custom or the generic form, and `verify` it.

The notation in which operations declare their custom form is described in docs/assembly.md.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from allo_air import dialects
from allo_air.asm.text import Failure, without_numbers
from allo_air.asm.verifier import Verifier, raise_errors, verify
from allo_air.core.diagnostics import emit, position, translate
from allo_air.core.printing import printed
from allo_air.core.walking import walk_named
from allo_air.dialects._rules import enclosing
from allo_air.errors import Diagnostic, DiagnosticError, nearest, suggestion
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.asm.reader import Reader
    from allo_air.asm.source import SourceMap

__all__ = ["Verifier", "has_module", "read", "verify", "write"]

_LEAD = re.compile(r"(?:\s|//[^\n]*|[#!][\w$.-]+\s*=[^\n]*)*")
_ALIAS = re.compile(r"^[ \t]*[#!][A-Za-z_$.\d][\w$.-]*[ \t]*=", re.MULTILINE)
_MODULE = re.compile(r'"builtin\.module"|(?:builtin\.)?module\b')
_WITHOUT_DEVICE = ("aie.core", "aie.mem", "aie.memtile_dma", "aie.shim_dma")
_SEVERAL = "source must contain a single top-level operation"


def read(
    text: str, filename: str = "-", *, first_line: int = 1, allow_unregistered: bool = False, verified: bool = False
) -> AnyOp:
    """Parses and verifies a module in the active context, in custom or generic form, or a mixture of both.

    Top-level operations outside a module are put in one, as MLIR does. Returns the `builtin.module` operation. `first_line` is
    the line of `filename` at which `text` begins. If `text` is the output of `write` for a `verified` module, the dialects'
    rules are skipped. Raises DiagnosticError with positions in the user's text.
    """
    from allo_air.asm.blocks import as_vectors, check_names
    from allo_air.asm.earlier import advice, as_today, needs_change
    from allo_air.asm.former import sequences_from_functions
    from allo_air.asm.former_linalg import respelled
    from allo_air.asm.nesting import check_nesting
    from allo_air.asm.reader import Reader
    from allo_air.asm.source import SourceMap

    context = ir.Context.current
    text = as_vectors(text)
    words = without_numbers(text)
    if needs_change(words):
        text = as_today(text)
        words = without_numbers(text)
    reader = Reader("\n" * (first_line - 1) + text, filename)
    try:
        check_names(reader.text)
        check_nesting(reader.text, words)
        chunks = reader.run()
    except Failure as failure:
        line, column = reader.line_column(min(failure.pos, len(reader.text)))
        raise DiagnosticError([Diagnostic("error", filename, line, column, failure.message)]) from None
    dialects.load(context, _needed(words))
    if '"xllvm.' in text:
        from allo_air.dialects.xllvm import declare_instructions

        declare_instructions(context, text)
    if allow_unregistered:
        context.allow_unregistered_dialects = True
    source = SourceMap(reader, respelled(chunks, reader.text))
    try:
        module = _parse(source, filename)
    except ir.MLIRError as error:
        results = [d if d.line else replace(d, file=filename, line=1, column=1) for d in translate(error).diagnostics]
        results = [replace(d, message=d.message.rstrip() + advice(d.message)) for d in results]
        raise DiagnosticError(source.restore(d, filename) for d in results) from None
    except ValueError as error:
        raise DiagnosticError([Diagnostic("error", filename, 1, 1, str(error))]) from None
    if "func.func" in words and "aie.device" in words and "aiex." in words:
        sequences_from_functions(module)
    if reader.folded:
        _erase_unused_constants(module, {reader.line_column(offset)[0] for offset in reader.folded})
    for name, attribute in sorted(reader.unknown):
        _warn_of_unknown(reader, name, attribute)
    if not verified:
        raise_errors([source.restore(d, filename) for d in dialects.check(module)])
    return module


def _warn_of_unknown(reader: Reader, name: str, attribute: str) -> None:
    """Warns, at the first occurrence, that an attribute of an operation is kept but has no effect."""
    match = re.search(rf"\b{re.escape(name)}\b.*?\b({re.escape(attribute)})\b", reader.text, re.DOTALL)
    line, column = reader.line_column(match.start(1)) if match else (1, 1)
    op = dialects.declared(name)
    near = suggestion(nearest(attribute, op.DECL.attrs if op is not None else (), 1))
    message = (
        f"'{name}' op has attribute '{attribute}', which allo_air does not know: it is kept and printed, and changes nothing"
    )
    emit(Diagnostic("warning", reader.filename, line, column, f"{message}{near}"))


def _erase_unused_constants(module: ir.Operation, lines: set[int]) -> None:
    """Erases the constants in `lines` that have become attributes of devices, if they have no other use.

    The i32 constants of runtime sequences stay, since their operations are printed with them.
    """
    for holder in walk_named(module, "aie.device", *_WITHOUT_DEVICE):
        for constant in walk_named(holder, "arith.constant"):
            unused = next(iter(constant.results[0].uses), None) is None and position(constant.location)[1] in lines
            if unused and not (_is_i32(constant) and enclosing(constant, "aie.runtime_sequence") is not None):
                constant.erase()


def _is_i32(constant: ir.Operation) -> bool:
    return str(constant.results[0].type) == "i32"


def _needed(text: str) -> tuple[str, ...]:
    """The dialects that `text` may use; `air` tokens and terminators occur in text without its operations."""
    names = [name for name in dialects.NAMES if f"{name}." in text or f"{name}<" in text]
    if "aiex" in names and "aie" not in names:
        names.append("aie")
    return tuple(names)


def _parse(source: SourceMap, filename: str) -> ir.Operation:
    text = source.rewritten
    if has_module(text):
        try:
            return ir.Operation.parse(text, source_name=filename).operation
        except ir.MLIRError as error:
            if _SEVERAL not in str(error):
                raise
    head, rest = _wrap(text)
    source.head = len(head)
    return ir.Operation.parse(head + rest, source_name=filename).operation


def _wrap(text: str) -> tuple[str, str]:
    """Returns `text` inside a module, with every line at its position. Lines before it, with aliases, are returned
    separately."""
    from allo_air.asm.text import closing_offset

    aliases = []
    pieces = []
    start = 0
    resources = text.find("{-#")
    end = len(text) if resources < 0 else resources
    while match := _ALIAS.search(text, start, end):
        stop = match.end()
        while stop < end and text[stop] != "\n":
            try:
                stop = closing_offset(text, stop) if text[stop] in "<({[" else stop + 1
            except Failure:  # MLIR's parser reports the error
                stop += 1
            if text.startswith("//", stop):
                stop = text.find("\n", stop)
                stop = end if stop < 0 else stop
        alias = text[match.start() : stop]
        aliases.append(re.sub(r"//[^\n]*", "", alias).replace("\n", " "))
        pieces += [text[start : match.start()], "\n" * alias.count("\n")]
        start = stop
    body = "".join([*pieces, text[start:end]])
    return f"{' '.join(aliases)} module {{", f"{body}\n}} {text[end:]}"


def has_module(text: str) -> bool:
    """Whether `text` begins with a module, so that `read` does not add one."""
    lead = _LEAD.match(text)
    return lead is not None and _MODULE.match(text, lead.end()) is not None


def write(
    op: AnyOp,
    *,
    generic: bool = False,
    debug_info: bool = False,
    pretty_debug_info: bool = False,
    local_scope: bool = False,
    skip_regions: bool = False,
    elide_elements: int | None = None,
    elide_resources: int | None = None,
    syntax: str | None = None,
) -> str:
    """The text of `op`: the custom form, or the generic form as the real tools read it. `op` must verify.

    `syntax` is the state of the peers' assembly, "2026-03" or "2026-08"; None is the state set by `printing`, or the newest.

    Elements attributes of more than `elide_elements` elements, and resources of more than `elide_resources` characters, are
    elided; such text, and text without regions, is for readers only.
    """
    from allo_air.asm.blocks import as_blocks
    from allo_air.asm.syntax import checked_state
    from allo_air.asm.writer import Writer
    from allo_air.dialects.states import printed_state

    state = printed_state() if syntax is None else checked_state(syntax)
    text = printed(
        op,
        generic=generic,
        debug_info=debug_info,
        pretty_debug_info=pretty_debug_info,
        local_scope=local_scope,
        skip_regions=skip_regions,
        elide_elements=elide_elements,
        elide_resources=elide_resources,
    )
    return as_blocks(Writer(generic=generic, state=state, keep_numbers=_used_early(op)).run(text))


def _used_early(op: AnyOp) -> bool:
    """Whether a module uses a value before its definition, which MLIR allows there. Names are assigned in text order."""
    if op.operation.name != "builtin.module":
        return False
    block = op.operation.regions[0].blocks[0]
    for definition in block.operations:
        for result in definition.results:
            for use in result.uses:
                user = use.owner.operation
                while user.block != block:
                    user = user.parent
                if not definition.is_before_in_block(user):
                    return True
    return False
