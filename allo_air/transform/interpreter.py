"""Interprets transform scripts with operations of MLIR and of `transform.air`.

MLIR's own interpreter, in the bindings, cannot update its handles after a rewrite in Python. Therefore this interpreter walks
the sequences. It passes runs of consecutive MLIR operations to MLIR's interpreter (`segments.py`), and applies `transform.air`
operations, and operations that contain or call them, itself. Between operations, handles are `Handle` objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from allo_air.core.diagnostics import position
from allo_air.core.names import sym_name_of
from allo_air.core.walking import ancestor_in, walk_pre_order
from allo_air.dialects._transform import consumed
from allo_air.errors import AlloAirError, Diagnostic, DiagnosticError, counted
from allo_air.mlir import ir
from allo_air.transform import compound, registered
from allo_air.transform.handles import Handle, Tracked
from allo_air.transform.operations import Application, operation
from allo_air.transform.segments import KeptHandle, new_handle, run_segment

_AIR = "transform.air."


@dataclass
class Frame:
    """A block that is being interpreted: the current position, and whether the block will run again."""

    block: Any
    handles: dict[Any, Handle]
    current: Any = None
    again: bool = False
    # handles of the frame's operation that are not values of the script
    handles_kept: list[Handle] = field(default_factory=list)


class Interpreter:
    """Applies the sequences of module `script` to `root`."""

    def __init__(self, script: ir.Operation, root: ir.Operation) -> None:
        self.script, self.root = script, root
        named = [o for o in walk_pre_order(script) if o.name == "transform.named_sequence"]
        self.sequences = {sym_name_of(o): o for o in named}
        self.frames: list[Frame] = []
        self._ours: dict[str, bool] = {}

    # Ownership of operations.

    def is_ours(self, op: ir.Operation) -> bool:
        """Whether `op` is, contains or calls an operation that MLIR's interpreter cannot apply."""
        return any(self._is_own(inner) for inner in walk_pre_order(op))

    def _is_own(self, op: ir.Operation) -> bool:
        if op.name.startswith(_AIR) or op.name == "transform.pdl_match" or compound.folds_unit_extents(op):
            return True
        if op.name == "transform.apply_registered_pass":
            return registered.is_ours(op)
        return any(self._sequence_is_ours(name) for name in _called(op))

    def _sequence_is_ours(self, name: str) -> bool:
        if name not in self._ours:
            self._ours[name] = False  # MLIR rejects a sequence that includes itself
            if name in self.sequences:
                self._ours[name] = self.is_ours(self.sequences[name])
        return self._ours[name]

    # Blocks.

    def run(self, block: ir.Block, arguments: list[Handle], *, again: bool = False) -> list[Handle]:
        """Applies the operations of `block`; returns the handles that its terminator yields."""
        frame = Frame(block, dict(zip(block.arguments, arguments, strict=True)), again=again)
        self.frames.append(frame)
        try:
            *ops, end = [o.operation for o in block.operations]
            batch: list[ir.Operation] = []
            for op in ops:
                if not self.is_ours(op):
                    batch.append(op)
                    continue
                self._flush(batch)
                batch = []
                frame.current = op
                self._step(op)
            self._flush(batch)
            frame.current = end
            return [self.use(value, end) for value in end.operands]
        finally:
            self.frames.pop()

    def _flush(self, ops: list[ir.Operation]) -> None:
        """Applies consecutive MLIR operations."""
        if not ops:
            return
        frame = self.frames[-1]
        used = {value for op in ops for inner in walk_pre_order(op) for value in inner.operands}
        for f in self.frames:
            for value, handle in f.handles.items():
                if value in used and handle.lost is not None:
                    self.use(value, next(o for o in ops if value in {v for i in walk_pre_order(o) for v in i.operands}))
        before = {value: f.handles[value] for f in self.frames for value in f.handles if value in used}
        frame.current = ops[-1]
        survivors = self._live()
        values_before = list(survivors)
        listed = {k.value for k in values_before if k.value is not None}
        values_before += [KeptHandle(handle, value) for value, handle in before.items() if value not in listed]
        for op in ops:
            for value in op.results:
                if (user := self._next_user(len(self.frames) - 1, value)) is not None:
                    frame.handles[value] = new_handle(value)
                    survivors.append(KeptHandle(frame.handles[value], value, user))
        names = {name for op in ops for inner in walk_pre_order(op) for name in _called(inner)}
        run_segment(self.root, ops, values_before, survivors, self._closure(names))
        self._forget()

    def _closure(self, names: set[str]) -> list[ir.Operation]:
        """The sequences called `names`, and all that they include."""
        ops: dict[str, ir.Operation] = {}
        todo = list(names)
        while todo:
            name = todo.pop()
            if name in self.sequences and name not in ops:
                ops[name] = self.sequences[name]
                todo += [n for inner in walk_pre_order(ops[name]) for n in _called(inner)]
        return [*ops.values()]

    # Operations.

    def _step(self, op: ir.Operation) -> None:
        if op.name.startswith(_AIR):
            self._set_results(op, self._apply(op))
        elif op.name == "transform.apply_registered_pass":
            self._set_results(op, self._run_pass(op))
        elif (rule := compound.RULES.get(op.name)) is not None:
            self._set_results(op, rule(self, op))
        else:
            raise self.error(op, "cannot hold operations of transform.air or passes of this library")
        self._forget()

    def apply_natively(self, op: ir.Operation) -> None:
        """Applies one MLIR operation."""
        self._flush([op])

    def _apply(self, op: ir.Operation) -> list[Handle]:
        apply = operation(op.name)
        if apply is None:
            raise self.error(op, "is not an operation that scripts write")
        handles = [self.use(value, op) for value in op.operands]
        call = Application(op, self.root, [list(h.items) for h in handles])
        with self.rewriting(op, [handles[n] for n in consumed(op)]):
            try:
                results = apply(call)
            except AlloAirError as error:
                raise call.failure(error) from None
        return [Handle("ops", items) for items in results]

    def _run_pass(self, op: ir.Operation) -> list[Handle]:
        target = self.use(op.operands[0], op)
        parameters = [self.use(value, op).items for value in list(op.operands)[1:]]
        call = Application(op, self.root, [list(target.items)])
        with self.rewriting(op, [target] if call.targets[0] != [self.root] else []):
            registered.run(call, parameters)
        return [Handle("ops", call.targets[0])]

    @contextmanager
    def rewriting(self, op: ir.Operation, used_up: list[Handle]) -> Iterator[None]:
        """A context for a rewrite in Python: invalidates the handles `used_up`, and updates the others.

        As MLIR-AIR's scripts require, a handle to an operation inside of a consumed payload is invalidated only if one of its
        own payload operations no longer exists.
        """
        owners = [target for handle in used_up for target in handle.owners()]
        for handle in used_up:
            handle.lost = op
        live = [survivor.handle for survivor in self._live()]
        into = [(handle, len(handle.items)) for handle in live if handle.is_within(owners)]
        with Tracked(self.root, live):
            yield
        for handle, count in into:
            if len(handle.items) < count:
                handle.lost = op

    def lose(self, op: ir.Operation, scopes: list[ir.Operation]) -> None:
        """Invalidates the handles to `scopes` and to operations in them, since `op` may restore these."""
        for survivor in self._live():
            if survivor.handle.is_within(scopes):
                survivor.handle.lost = op

    def _set_results(self, op: ir.Operation, results: list[Handle]) -> None:
        if len(results) != len(op.results):
            raise self.error(
                op, f"returns {counted(len(results), 'result')}, but {len(op.results)} are declared; let both agree"
            )
        self.frames[-1].handles.update(zip(op.results, results, strict=True))

    # Handles.

    def use(self, value: ir.Value, user: ir.Operation) -> Handle:
        """The handle of `value`; raises an error at `user` if it was consumed."""
        handle = next(f.handles[value] for f in reversed(self.frames) if value in f.handles)
        if handle.lost is not None:
            note = Diagnostic(
                "note",
                *position(handle.lost.location),
                f"used up by this '{handle.lost.name}', with all handles to the same operations and to those in them",
            )
            text = f"'{user.name}' op uses a handle invalidated by a previously executed transform op; match it again"
            raise DiagnosticError([Diagnostic("error", *position(user.location), text, (note,))])
        return handle

    def bind(self, handle: Handle) -> Handle:
        """A new handle with the same payload."""
        return Handle(handle.kind, list(handle.items))

    def _live(self) -> list[KeptHandle]:
        """The handles that are used later, without invalid ones."""
        handles = []
        for depth, frame in enumerate(self.frames):
            for value, handle in frame.handles.items():
                if handle.lost is None and (user := self._next_user(depth, value)) is not None:
                    handles.append(KeptHandle(handle, value, user))
            handles += [KeptHandle(handle, None, frame.current) for handle in frame.handles_kept if handle.lost is None]
        return handles

    def _forget(self) -> None:
        """Drops handles that are never used again, since their payload may be erased."""
        for depth, frame in enumerate(self.frames):
            unused = [v for v in frame.handles if self._next_user(depth, v) is None]
            for value in unused:
                del frame.handles[value]

    def _next_user(self, depth: int, value: ir.Value) -> ir.Operation | None:
        """The next operation after the current one that uses `value`, of frame `depth`."""
        users = [use.owner.operation for use in value.uses if self._is_later(depth, use.owner.operation)]
        return min(users, key=lambda o: position(o.location)[1:], default=None)

    def _is_later(self, depth: int, user: ir.Operation) -> bool:
        for frame in self.frames[depth:]:
            ancestor = ancestor_in(user, frame.block)
            if ancestor is None:
                return False
            ancestor = ancestor.operation
            if frame.current is None or (ancestor != frame.current and frame.current.is_before_in_block(ancestor)):
                return True
            if ancestor != frame.current:
                return frame.again
            if user == frame.current:
                return frame.again
        return False

    def error(self, op: ir.Operation, message: str) -> DiagnosticError:
        """An error at an operation of the script."""
        return DiagnosticError([Diagnostic("error", *position(op.location), f"'{op.name}' op {message}")])


def _called(op: ir.Operation) -> list[str]:
    """The named sequences that `op` refers to."""
    results = []
    for name in ("target", "matchers", "actions", "matcher"):
        attribute = op.attributes.get(name, None)
        symbols = attribute if isinstance(attribute, ir.ArrayAttr) else [attribute]
        results += [s.value for s in symbols if isinstance(s, ir.FlatSymbolRefAttr)]
    return results if op.name.startswith("transform.") else []
