"""Dialect `schedule`: the operations of transform scripts into which schedules are translated.

A script finds loops by their names and rewrites them:

    transform.named_sequence @__transform_main(%module: !transform.any_op) {
      %i = "schedule.loop"(%module) {function = "gemm", loop = "i"} : (!transform.any_op) -> !transform.any_op
      "schedule.split"(%i) {factor = 8 : i64} : (!transform.any_op) -> ()
      transform.yield
    }
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from allo_air.core.walking import enclosing
from allo_air.mlir import ext, ir, transform
from allo_air.scheduling import buffers, compute, inline, nests, reshape, reuse, unfold
from allo_air.scheduling.attributes import number, numbers, text
from allo_air.scheduling.loops import Loop, find, function_named, loops_of

NAME = "schedule"


def load() -> None:
    """Defines the dialect in the current context, once."""
    if not ir.Context.current.is_dialect_loaded(NAME):
        _dialect().load()


class _Applies(transform.TransformOpInterface):  # type: ignore[misc]
    @staticmethod
    def apply(op: ir.OpView, rewriter: Any, results: Any, state: Any) -> Any:
        op.run(results, [list(state.get_payload_ops(operand)) for operand in op.operands])
        return transform.DiagnosedSilenceableFailure.Success

    @staticmethod
    def allow_repeated_handle_operands(_op: object) -> bool:
        return True


class _Finds(ir.MemoryEffectsOpInterface):
    @staticmethod
    def get_effects(op: ir.OpView, effects: Any) -> None:
        transform.only_reads_handle(op.op_operands, effects)
        transform.produces_handle(op.results, effects)
        transform.only_reads_payload(effects)


class _Rewrites(ir.MemoryEffectsOpInterface):
    @staticmethod
    def get_effects(op: ir.OpView, effects: Any) -> None:
        transform.consumes_handle(op.op_operands, effects)
        transform.produces_handle(op.results, effects)
        transform.modifies_payload(effects)


def _trait(*interfaces: Any) -> Any:
    class Trait:
        @staticmethod
        def attach(op_name: str) -> None:
            for interface in interfaces:
                interface.attach(op_name)

    return Trait


Rewrite = Callable[[Any, list[Any]], None]
"""The rewrite of an operation. It receives the operation, for its attributes, and the payload of its handles."""


def _loops(payload: Sequence[Any]) -> list[Loop]:
    loops = []
    for op in payload:
        loops.append(next(each for each in loops_of(enclosing(op, "func.func")) if each.op == op))
    return loops


def _function_of(loop: Loop) -> Any:
    return enclosing(loop.op, "func.func")


def _split(op: ir.OpView, payload: list[Any]) -> None:
    [loop] = _loops(payload)
    nests.split(loop, number(op, "factor"))


def _reorder(op: object, payload: list[Any]) -> None:
    chosen = _loops(payload)
    nests.reorder(chosen, loops_of(_function_of(chosen[0])))


def _fuse(op: object, payload: list[Any]) -> None:
    chosen = _loops(payload)
    nests.fuse(chosen, loops_of(_function_of(chosen[0])))


def _buffer_at(op: ir.OpView, payload: list[Any]) -> None:
    [loop] = _loops(payload)
    buffers.buffer_at(_function_of(loop), text(op, "tensor"), loop, text(op, "buffer"))


def _reuse_at(op: ir.OpView, payload: list[Any]) -> None:
    [loop] = _loops(payload)
    reuse.reuse_at(_function_of(loop), text(op, "tensor"), loop, text(op, "buffer"))


def _compute_at(op: object, payload: list[Any]) -> None:
    compute.compute_at(*_loops(payload))


def _unfold(op: ir.OpView, payload: list[Any]) -> None:
    [loop] = _loops(payload)
    unfold.unfold(loop, numbers(op, "axes"), loops_of(_function_of(loop)))


def _note(op: ir.Operation, payload: list[Any]) -> None:
    buffers.attach_text(buffers.find(payload[0], text(op, "tensor")), text(op, "name"), text(op, "value"))


def _reshape(op: ir.OpView, payload: list[Any]) -> None:
    reshape.reshape(payload[0], text(op, "tensor"), numbers(op, "shape"))


def _inline(op: object, payload: list[Any]) -> None:
    inline.inline(payload[0])


REWRITES: dict[str, Rewrite] = {
    "split": _split, "reorder": _reorder, "fuse": _fuse, "buffer_at": _buffer_at, "reuse_at": _reuse_at,
    "compute_at": _compute_at, "unfold": _unfold, "note": _note, "reshape": _reshape, "inline": _inline,
}  # fmt: skip
"""The rewrites by the operation's name after `schedule.`. They consume their handles of loops and functions."""


@cache
def _dialect() -> Any:
    class Schedule(ext.Dialect, name=NAME):  # type: ignore[call-arg, misc]
        """Rewrites of named loops and buffers."""

    finds, rewrites = _trait(_Applies, _Finds), _trait(_Applies, _Rewrites)

    class Find(Schedule.Operation, name="loop", traits=[finds]):  # type: ignore[call-arg, name-defined, misc]
        """The loop `loop` (or `band:loop`) of function `function`."""

        root: ext.Operand[transform.AnyOpType]
        handle: ext.Result[transform.AnyOpType[()]] = ext.infer_result()

        def run(self, results: Any, payload: list[Any]) -> None:
            function = function_named(payload[0][0], text(self, "function"))
            results.set_ops(self.handle, [find(loops_of(function), text(self, "loop")).op])

    class Function(Schedule.Operation, name="function", traits=[finds]):  # type: ignore[call-arg, name-defined, misc]
        """The function `function` of a module."""

        root: ext.Operand[transform.AnyOpType]
        handle: ext.Result[transform.AnyOpType[()]] = ext.infer_result()

        def run(self, results: Any, payload: list[Any]) -> None:
            results.set_ops(self.handle, [function_named(payload[0][0], text(self, "function"))])

    for name, rewrite in REWRITES.items():
        _operation(Schedule, name, rewrite, rewrites)
    return Schedule


def _operation(dialect: Any, name: str, rewrite: Rewrite, trait: Any) -> None:
    class Rewriting(dialect.Operation, name=name, traits=[trait]):  # type: ignore[call-arg, misc]
        targets: Sequence[ext.Operand[transform.AnyOpType]]

        def run(self, results: Any, payload: list[Any]) -> None:
            with self.location:
                rewrite(self, [op for ops in payload for op in ops])
