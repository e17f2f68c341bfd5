"""Operations of the transform dialect that contain or call sequences with operations of this library."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.transform.handles import Handle
from allo_air.transform.pdl import nested, pdl_match
from allo_air.transform.recorder import record_matches

_FOLDING = tuple(f"transform.apply_patterns.linalg.fold_unit_extent_dims_via_{kind}" for kind in ("reshapes", "slices"))


@contextmanager
def _holding(interpreter: Any, handles: list[Handle]) -> Iterator[list[Handle]]:
    """Adds `handles` to the handles of the frame, which are updated after rewrites; returns all of the frame's handles."""
    kept_handles: list[Handle] = interpreter.frames[-1].handles_kept
    kept_handles += handles
    try:
        yield kept_handles
    finally:
        kept_handles[:] = [h for h in kept_handles if all(h is not k for k in handles)]


def _include(interpreter: Any, op: ir.Operation) -> list[Handle]:
    """`transform.include @s failures(..) (%x)`."""
    name = op.attributes["target"].value
    sequence = interpreter.sequences[name]
    arguments = [interpreter.bind(interpreter.use(v, op)) for v in op.operands]
    try:
        return _run(interpreter, sequence, arguments)
    except AlloAirError:
        if not _suppresses(op):
            raise
        return [Handle("ops") for _ in op.results]


def _run(interpreter: Any, sequence: ir.Operation, arguments: list[Handle]) -> list[Handle]:
    handles: list[Handle] = interpreter.run(sequence.regions[0].blocks[0], arguments)
    return [interpreter.bind(h) for h in handles]


def _suppresses(op: ir.Operation) -> bool:
    return "failure_propagation_mode" in op.attributes and op.attributes["failure_propagation_mode"].value == 2


def _sequence(interpreter: Any, op: ir.Operation) -> list[Handle]:
    """`transform.sequence %x failures(..) { ... }`."""
    return _run_sequence(interpreter, op, _roots(interpreter, op))


def _with_pdl_patterns(interpreter: Any, op: ir.Operation) -> list[Handle]:
    """`transform.with_pdl_patterns %x { ... }`: runs the nested sequence, in which `pdl_match` uses the nested patterns."""
    for sequence in nested(op, "transform.sequence"):
        _run_sequence(interpreter, sequence, _roots(interpreter, op))
    return []


def _roots(interpreter: Any, op: ir.Operation) -> list[Handle]:
    """The handles that the body of `op` receives."""
    return [interpreter.bind(interpreter.use(v, op)) for v in op.operands] or [Handle("ops", [interpreter.root])]


def _run_sequence(interpreter: Any, op: ir.Operation, arguments: list[Handle]) -> list[Handle]:
    try:
        return [interpreter.bind(h) for h in interpreter.run(op.regions[0].blocks[0], arguments)]
    except AlloAirError:
        if not _suppresses(op):
            raise
        return [Handle("ops") for _ in op.results]


def _foreach(interpreter: Any, op: ir.Operation) -> list[Handle]:
    """`transform.foreach %a, %b { ^bb0(%x, %y): ... }`: runs the body for each pair of entries."""
    handles = [interpreter.use(v, op) for v in op.operands]
    counts = [len(h.items) for h in handles]
    if len(set(counts)) > 1 and "with_zip_shortest" not in op.attributes:
        raise interpreter.error(op, f"expects handles to equally many operations, found {', '.join(map(str, counts))}")
    items = [[Handle(h.kind, [h.items[n]]) for h in handles] for n in range(min(counts))]
    results = [Handle("ops") for _ in op.results]
    with _holding(interpreter, [*results, *(h for several in items for h in several)]) as kept_handles:
        for n, arguments in enumerate(items):
            for argument in arguments:
                kept_handles.remove(argument)
                if argument.lost is not None:
                    raise interpreter.error(op, "takes a handle to an operation that an earlier step erased")
            is_repeated = n + 1 < len(items)
            _append(results, interpreter.run(op.regions[0].blocks[0], arguments, again=is_repeated), strict=True)
    return results


def _foreach_match(interpreter: Any, op: ir.Operation) -> list[Handle]:
    """`transform.foreach_match in %root @match -> @act, ...`: finds all matches first, then runs the actions in that order."""
    operands = [interpreter.use(v, op) for v in op.operands]
    actions = [a.value for a in op.attributes["actions"]]
    matches = record_matches(interpreter, op, [interpreter.sequences[a] for a in actions])
    root = interpreter.bind(operands[0])
    results = [root, *(Handle("ops") for _ in list(op.results)[1:])]
    with _holding(interpreter, [*results, *(h for _, handles in matches for h in handles)]):
        for number, arguments in matches:
            if any(h.lost is not None for h in arguments):
                continue  # an earlier action consumed it
            _append(results[1:], _run(interpreter, interpreter.sequences[actions[number]], arguments), strict=False)
    return results


def _append(results: list[Handle], yielded: list[Handle], *, strict: bool) -> None:
    """Appends the results of an iteration to those of the previous ones. With `strict`, each iteration must yield the same
    number of handles.
    """
    for result, more in zip(results, yielded, strict=strict):
        result.kind = more.kind
        result.items = [*result.items, *more.items]


def _alternatives(interpreter: Any, op: ir.Operation) -> list[Handle]:
    """`transform.alternatives %scope { ... }, { ... }`: the first alternative that succeeds. Before each alternative, the scope
    is restored.
    """
    values = [interpreter.use(v, op) for v in op.operands]
    scopes = values[0].items if values else [interpreter.root]
    if not values:
        raise interpreter.error(op, "needs a scope to restore where operations of transform.air are in it: give it a handle")
    reasons: list[AlloAirError] = []
    for region in op.regions:
        backups = [scope.clone() for scope in scopes]
        interpreter.lose(op, list(scopes))
        handle = Handle("ops", list(scopes))
        try:
            with _holding(interpreter, [handle]):
                alternatives = (
                    [interpreter.bind(h) for h in interpreter.run(region.blocks[0], [handle])] if len(region.blocks) else []
                )
            for backup in backups:
                backup.erase()
            return alternatives
        except AlloAirError as error:
            reasons.append(error)
            scopes = [_restore(scope, backup) for scope, backup in zip(scopes, backups, strict=True)]
    notes = [d.message for error in reasons for d in error.diagnostics[:1]]
    raise interpreter.error(op, f"has no alternative that succeeds: {'; '.join(notes)}")


def _restore(scope: ir.Operation, backup: ir.Operation) -> ir.Operation:
    ir.InsertionPoint(scope).insert(backup)
    for old, new in zip(scope.results, backup.results, strict=True):
        old.replace_all_uses_with(new)
    scope.erase()
    return backup


def folds_unit_extents(op: ir.Operation) -> bool:
    """Whether `op` is an apply_patterns with a pattern that does not terminate on strided buffers."""
    return op.name == "transform.apply_patterns" and any(o.name in _FOLDING for o in walk_pre_order(op))


def _apply_patterns(interpreter: Any, op: ir.Operation) -> list[Handle]:
    """`transform.apply_patterns` with patterns that fold extents of 1. Operations on strided buffers are folded first."""
    fold = importlib.import_module("allo_air.passes.linalg._unit_dims").fold_unit_loops
    targets = list(interpreter.use(op.operands[0], op).items)
    with interpreter.rewriting(op, []):
        for generic in [g for t in targets for g in walk_named(t, "linalg.generic")]:
            fold(generic)
    interpreter.apply_natively(op)
    return []


RULES: dict[str, Callable[[Any, ir.Operation], list[Handle]]] = {
    "transform.include": _include,
    "transform.pdl_match": pdl_match,
    "transform.sequence": _sequence,
    "transform.with_pdl_patterns": _with_pdl_patterns,
    "transform.foreach": _foreach,
    "transform.foreach_match": _foreach_match,
    "transform.alternatives": _alternatives,
    "transform.apply_patterns": _apply_patterns,
}
