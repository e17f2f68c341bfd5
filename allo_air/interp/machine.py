"""One run of one function: its memory, channels and agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from allo_air.access.dims import row_major, span
from allo_air.core.names import sym_name_of
from allo_air.core.walking import enclosing, walk_named
from allo_air.errors import counted
from allo_air.interp import rules
from allo_air.interp._channels import Bundle
from allo_air.interp._effects import Effects
from allo_air.interp.allowances import Allowances
from allo_air.interp.environment import Environment
from allo_air.interp.errors import Leftover, PoisonRead, Race, RunError, UseAfterFree
from allo_air.interp.events import Clock
from allo_air.interp.garbage import Garbage
from allo_air.interp.kernel_steps import kernel_steps
from allo_air.interp.memory import Buffer, View, reads
from allo_air.interp.program import Step, Translator
from allo_air.interp.scheduler import Agent, Scheduler, Task, Token
from allo_air.interp.values import DYNAMIC, Frame, Tensor, is_token
from allo_air.mlir import AnyOp, ir

_MANY = 32


class Machine:
    """Runs functions of `module`. Undefined values that `allow` permits are drawn by `pattern`."""

    def __init__(
        self,
        module: ir.Module | AnyOp,
        *,
        seed: int,
        max_turns: int | None,
        libraries: Mapping[str, Any],
        allow: Allowances,
        pattern: int = 0,
    ) -> None:
        rules.load()
        self.module, self.libraries, self.allow = module.operation, libraries, allow
        self.garbage = Garbage(pattern) if allow.garbage else None
        self.program_order = allow.program_order
        self.environment = Environment(allow.open)
        self.scheduler = Scheduler(seed, max_turns)
        self.globals: dict[str, View] = {}
        self.poisoned: list[PoisonRead] = []
        self._bundles: dict[str, Bundle] = {}
        self._instances = 0
        self.input_stamp = 0
        self.ordered_launches = self._channels_cross_launches()
        self.translator = Translator(self, self.module, kernel_steps)

    def run(self, function: ir.Operation, inputs: list[Any]) -> list[Any]:
        """Runs `function` on its arguments as values; returns its results as values."""
        name = sym_name_of(function)
        history = self.scheduler.history
        agent = Agent(self, Clock(), [], (), core=False, who="")
        start = Step(function, (), ())
        self.input_stamp = history.stamp(agent.clock, start)
        agent.clock.fork()
        for value in inputs:
            if isinstance(value, View):
                value.buffer.writer.set(value, None, self.input_stamp)
                value.buffer.step = start
        results: list[Tensor] = []
        main = self.scheduler.spawn(agent, self._main(agent, name, inputs, results), start)
        try:
            self.scheduler.run(main)
        except (Race, UseAfterFree):
            raise
        except RunError:
            self._raise_poison()
            raise
        self._check_drained()
        for value in [*inputs, *results]:
            if isinstance(value, View):
                reads(agent, start, value, None if self.allow.whole_results else value.buffer.writer.are_set(value))
            elif (
                self.allow.whole_results and isinstance(value, Tensor) and value.defined is not None and not value.defined.all()
            ):
                self.poisoned.append(PoisonRead(function, "returns a tensor with elements that nothing has written"))
        self._raise_poison()
        return results

    def _main(self, agent: Agent, name: str, inputs: list[Tensor | View], results: Sequence[object]) -> Task:
        body = self.translator.function(name)
        result = yield from body.run(agent, Frame(), inputs)  # type: ignore[union-attr]
        yield from agent.drained()
        results += yield from agent.resolved(result)

    def _raise_poison(self) -> None:
        if self.poisoned and not self.allow.unwritten:
            raise self.poisoned[0]

    def _check_drained(self) -> None:
        if self.allow.leftovers:
            return
        for bundle in self._bundles.values():
            for endpoint in bundle.endpoints.values():
                if endpoint.messages:
                    message = endpoint.messages[0]
                    raise Leftover(
                        message.step.op,
                        f"puts more into {endpoint.name} than its gets receive: "
                        f"{counted(len(endpoint.messages), 'message')} left at the end; "
                        f"it has {counted(endpoint.takers, 'receiver')}, {message.receipts} took the first",
                        (bundle.op, "is the channel"),
                    )

    def unwritten(self, size: int, dtype: np.dtype) -> np.ndarray:
        """The contents of memory that nothing has written."""
        if self.garbage is not None and self.allow.unwritten:
            return self.garbage.array(size, dtype)
        return np.zeros(size, dtype)

    def unknown(self, shape: tuple[int, ...], dtype: object) -> Tensor:
        """A tensor without defined elements; with garbage, all elements have random values."""
        if self.garbage is not None and self.allow.unwritten:
            return Tensor(self.garbage.array(shape, dtype))
        return Tensor(np.zeros(shape, dtype), np.zeros(shape, np.bool_))

    def symbol_tables(self, module: ir.Operation) -> list[ir.Operation]:
        """The operations with symbols, in the module and in devices."""
        return list(walk_named(module, "func.func", "air.channel", "memref.global"))

    def bundle(self, op: AnyOp) -> Bundle:
        """The channels that a channel operation declares."""
        name = sym_name_of(op)
        if name not in self._bundles:
            self._bundles[name] = Bundle.of(op, self.allow.capacity)
        return self._bundles[name]

    def new_instance(self) -> int:
        """A number for an instance of a launch."""
        self._instances += 1
        return self._instances

    def hold(self, agent: Agent, pending: tuple[Token, Effects, list[Any]]) -> None:
        """Remembers an operation that was started without a token."""
        events = agent.pending
        if len(events) > _MANY:
            for token, _, _ in events:
                if token.done:
                    agent.clock.join(token.past)
            events = tuple(p for p in events if not p[0].done)
        agent.pending = (*events, pending)

    def wait_for_accesses(self, agent: Agent, view: View, *, write: bool) -> Task:
        """Waits for operations that were started without a token and access the same memory."""
        for token, effects, operands in agent.pending:
            if token.done and not token.past & ~agent.clock.past:
                continue
            if any((write or writes) and view.overlaps(memory_view) for memory_view, writes in effects(operands)):
                yield from agent.wait([token])

    def _channels_cross_launches(self) -> bool:
        """Whether a channel is used in a launch and outside: its instances then run in their order."""
        inside: set[str] = set()
        outside: set[str] = set()
        for op in walk_named(self.module, "air.channel.put", "air.channel.get"):
            (outside if enclosing(op, "air.launch") is None else inside).add(op.opview.chan_name)
        return bool(inside & outside)


def argument(value: object, type_: ir.Type, dtype: np.dtype, what: str) -> Any:
    """A numpy array (or number) as the value of a function's argument; arrays are copied."""
    from allo_air.mlir import ir

    if is_token(type_):
        return Token(None, done=True)
    if isinstance(type_, ir.UnrankedMemRefType):
        flat = np.array(value, dtype).reshape(-1)
        return View(Buffer(flat, None, what), 0, flat.shape, (1,))
    if isinstance(type_, ir.MemRefType):
        return _laid_out(np.asarray(value, dtype), type_, what)
    if isinstance(type_, ir.RankedTensorType):
        return Tensor(np.array(value, dtype))
    if isinstance(type_, ir.VectorType):
        return np.array(value, dtype)
    number = np.asarray(value, dtype).reshape(()).item() if dtype.kind in "iub" else np.asarray(value, dtype).reshape(())[()]
    return int(number) if dtype.kind in "iub" else number


def _laid_out(array: np.ndarray, type_: Any, what: str) -> View:
    """A buffer with the contents of `array` and the strides and offset of a memref type; dynamic strides are row-major."""
    strides, offset = type_.get_strides_and_offset()
    plain = row_major(array.shape)
    strides = tuple(p if s == DYNAMIC else int(s) for s, p in zip(strides, plain, strict=True))
    offset = 0 if offset == DYNAMIC else int(offset)
    size = span(zip(array.shape, strides, strict=True), offset)[1] + 1 if array.size else 0
    view = View(Buffer(np.zeros(size, array.dtype), None, what), offset, array.shape, strides)
    if array.size:
        view.array[...] = array
    return view


__all__ = ["Machine", "argument"]
