"""Runs MLIR's own operations of a transform script, on handles of this interpreter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from allo_air.core.diagnostics import Listener, position, translate
from allo_air.core.names import sym_name_of
from allo_air.core.schedule import failure, parse_text
from allo_air.core.walking import walk_pre_order
from allo_air.dialects._transform import EXCHANGES, kind_of
from allo_air.dialects.transform_air import HandInOp, HandOutOp
from allo_air.errors import Diagnostic, DiagnosticError, placeless
from allo_air.mlir import AnyOp, ir
from allo_air.transform.handles import Handle

_MAIN = "__allo_main"
_DONE = -1
"""The slot that gets an entry at the start of a sequence, and after each of its operations."""
_NOTE = placeless("note", "the transform script failed: it may have changed part of the module")


@dataclass
class KeptHandle:
    """A handle that is needed afterwards: its value in the script, and the operation that uses it next."""

    handle: Handle
    value: Any = None
    user: Any = None


def run_segment(
    root: ir.Operation,
    ops: list[ir.Operation],
    handles_before: list[KeptHandle],
    handles_after: list[KeptHandle],
    rest: Iterable[AnyOp],
) -> None:
    """Applies `ops` of a script to `root`.

    `handles_before` are the handles that the script defined before `ops`. `handles_after` are those it uses after them, which
    `ops` may define: they are brought up to date. `rest` are named sequences that `ops` may refer to.
    """
    module, block = _module(rest)
    arguments: dict[int, Any] = {}
    values: dict[Any, ir.Value] = {}
    loose: dict[int, ir.Value] = {}
    with ir.InsertionPoint(block), ir.Location.unknown():
        for slot, entry in enumerate(handles_before):
            kind = entry.value.type if entry.value is not None else _type(entry.handle.kind)
            arguments[slot] = (entry.handle.kind, entry.handle.items)
            new = _hand_in(slot, kind)
            loose[id(entry)] = new
            if entry.value is not None:
                values[entry.value] = new
        start = len(handles_before) + len(handles_after)
        arguments[start] = ("params", [])
        mark = _hand_in(start, _type("params"))
        HandOutOp(handle=mark, slot=_i64(_DONE))
        for op in ops:
            clone = op.clone()
            for inner in walk_pre_order(clone):
                for n, operand in enumerate(inner.operands):
                    if operand in values:
                        inner.operands[n] = values[operand]
            values.update(zip(op.results, clone.results, strict=True))
            HandOutOp(handle=mark, slot=_i64(_DONE))
        users = {}
        for slot, entry in enumerate(handles_after, len(handles_before)):
            where = entry.user.location if entry.user is not None else ir.Location.unknown()
            users[position(where)] = entry.user.name if entry.user is not None else "the script"
            HandOutOp(handle=values[entry.value] if entry.value is not None else loose[id(entry)], slot=_i64(slot), loc=where)
        ir.Operation.create("transform.yield")
    try:
        apply_main(module, root, arguments, users)
    except DiagnosticError as error:
        done = len(arguments.get(_DONE, ())) - 1
        raise _at_script_line(error, ops[done]) if 0 <= done < len(ops) else error from None
    for slot, entry in enumerate(handles_after, len(handles_before)):
        entry.handle.kind, entry.handle.items = arguments[slot]


def _at_script_line(error: DiagnosticError, op: ir.Operation) -> DiagnosticError:
    """`error` at the line of the script's `op`. If it only has a location in the payload, it becomes a note there."""
    first, *rest = error.diagnostics
    own = position(op.location)
    if first.file is None or any(op.name in d.message or (d.file, d.line) == own[:2] for d in (first, *first.notes)):
        return error
    place = Diagnostic("note", first.file, first.line, first.column, "applied to this operation")
    message = f"'{op.name}' op failed: {first.message}"
    return DiagnosticError([Diagnostic("error", *own, message, (place, *first.notes)), *rest])


def run_snippet(
    root: ir.Operation, text: str, values: dict[str, list[object]], results: tuple[str, ...] = ()
) -> list[list[Any]]:
    """Applies operations of MLIR's transform dialect, written as `text`, with handles `%NAME` to `values[NAME]`.

    Returns the operations that the handles `%RESULT` stand for afterwards. DiagnosticError where it fails.
    """
    exchange: dict[int, Any] = {n: ("ops", ops) for n, ops in enumerate(values.values())}
    handle = "!transform.any_op"
    lines = [f'%{name} = "transform.air.hand_in"() {{slot = {n}}} : () -> {handle}' for n, name in enumerate(values)]
    out = [
        f'"transform.air.hand_out"(%{name}) {{slot = {n}}} : ({handle}) -> ()' for n, name in enumerate(results, len(values))
    ]
    body = "\n".join([*lines, text, *out, "transform.yield"])
    head = f"transform.named_sequence @{_MAIN}(%root: {handle} {{transform.readonly}})"
    module = parse_text(f"module attributes {{transform.with_named_sequence}} {{ {head} {{\n{body}\n}} }}", "<transform>")
    apply_main(module, root, exchange, {})
    return [exchange[n][1] for n in range(len(values), len(values) + len(results))]


def _module(ops: Iterable[AnyOp]) -> tuple[Any, Any]:
    module = ir.Operation.parse(
        f"module attributes {{transform.with_named_sequence}} {{ transform.named_sequence @{_MAIN}(%root: !transform.any_op) {{"
        " transform.yield } }"
    )
    body = module.regions[0].blocks[0]
    main = body.operations[0].operation
    for op in ops:
        op.clone(ip=ir.InsertionPoint(main))
    block = main.regions[0].blocks[0]
    block.operations[0].operation.erase()
    return module, block


def _hand_in(slot: int, kind: ir.Type) -> Any:
    return HandInOp(handle=kind, slot=_i64(slot)).operation.results[0]


def apply_main(module: AnyOp, root: ir.Operation, exchange: dict[int, str], users: dict[Any, str]) -> None:
    """Runs the generated sequence of `module` on `root`. Handles are passed to it, and returned from it, in `exchange`."""
    from allo_air.mlir import transform_interpreter

    tops = [o.operation for o in module.operation.regions[0].blocks[0].operations]
    [main] = [o for o in tops if sym_name_of(o) == _MAIN]
    heard: list[Diagnostic] = []
    EXCHANGES.append(exchange)
    try:
        with Listener(root.context, heard.append):
            module.operation.verify()
            transform_interpreter.apply_named_sequence(root, main, module.operation)
    except ir.MLIRError as error:
        raise translate(error) from None
    except ValueError as error:
        result = heard or [failure(str(error), _NOTE)]
        raise DiagnosticError([_named(d, users) for d in result]) from None
    finally:
        EXCHANGES.pop()


def _named(diagnostic: Diagnostic, users: dict[object, str]) -> Diagnostic:
    """The diagnostic with the name of the script's operation, if MLIR names the generated operation that returns the handle."""
    user = users.get((diagnostic.file, diagnostic.line, diagnostic.column), "")
    if user and diagnostic.message.startswith("op uses a handle"):
        return replace(diagnostic, message=f"'{user}' {diagnostic.message}")
    return replace(diagnostic, message=re.sub(r"transform\.air\.hand_(in|out)", user or "the script", diagnostic.message))


def _type(kind: str) -> Any:
    return ir.Type.parse({"ops": "!transform.any_op", "values": "!transform.any_value", "params": "!transform.any_param"}[kind])


def new_handle(value: ir.Value) -> Handle:
    """An empty handle for `value` of a script."""
    return Handle(kind_of(value.type))


def _i64(number: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)
