"""Translates IR, once, into steps that run without the bindings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_post_order
from allo_air.interp import rules
from allo_air.interp.errors import Unsupported, place_of
from allo_air.interp.scheduler import Agent, Future, Task
from allo_air.interp.values import Frame
from allo_air.mlir import AnyOp, ir

TERMINATORS = frozenset(
    (
        *("func.return", "scf.yield", "scf.condition", "scf.reduce", "scf.reduce.return", "scf.forall.in_parallel"),
        *("affine.yield", "air.affine_yield", "linalg.yield", "tensor.yield", "air.execute_terminator", "cf.br", "cf.cond_br"),
        *("cf.switch", "air.launch_terminator", "air.segment_terminator", "air.herd_terminator", "air.rank_terminator"),
    )
)


class Step:
    """One operation: the slots of its operands and results, and the function that runs it."""

    __slots__ = ("is_lazy", "is_pure", "name", "op", "operands", "results", "run")

    def __init__(self, op: AnyOp, operands: tuple[int, ...], results: tuple[int, ...]) -> None:
        self.op, self.operands, self.results = op, operands, results
        self.name = str(op.name)
        self.is_pure = self.is_lazy = False
        self.run: Callable[..., Any] = lambda *_: ()

    @property
    def position(self) -> str:
        """`file:line:column`."""
        file, line, column = place_of(self.op)
        return f"{file}:{line}:{column}" if line else "an unknown place"


class Body:
    """A block: its arguments' slots, its steps, and the operands of its terminator."""

    __slots__ = ("arguments", "end", "free", "steps", "yields")

    def __init__(self) -> None:
        self.arguments: tuple[int, ...] = ()
        self.steps: list[Step] = []
        self.end: Step
        self.yields: tuple[int, ...] = ()
        self.free: tuple[int, ...] = ()

    def run(self, agent: Agent, frame: Frame, arguments: Any = ()) -> Task:
        """Runs the block in `frame`; returns the operands of its terminator, which may be futures."""
        for slot, value in zip(self.arguments, arguments, strict=True):
            frame[slot] = value
        for step in self.steps:
            operands = [frame[s] for s in step.operands]
            if not step.is_lazy:
                for i, value in enumerate(operands):
                    if value.__class__ is Future:
                        agent.step = step
                        yield from agent.wait((value,))
                        operands[i] = value.value
            if step.is_pure:
                results = step.run(*operands)
                if len(step.results) == 1:
                    frame[step.results[0]] = results
                    continue
            else:
                agent.step = step
                results = yield from step.run(agent, frame, operands)
            for slot, value in zip(step.results, results or (), strict=True):
                frame[slot] = value
        return [frame[s] for s in self.yields]

    def capture(self, frame: Frame) -> Frame:
        """A copy of the current outer values that the block uses, as its own frame."""
        return Frame((s, frame[s]) for s in self.free if s in frame)


class Graph(Body):
    """Blocks that branch to each other; the first is the entry."""

    __slots__ = ("blocks", "cases", "targets")

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[Body] = []
        self.targets: list[list[int]] = []
        self.cases: list[dict[int, int]] = []
        """For each block that ends with cf.switch, the number of the successor for each value; the first one is the default."""

    def run(self, agent: Agent, frame: Frame, arguments: Any = ()) -> Task:
        block_number = 0
        while True:
            body = self.blocks[block_number]
            yielded = yield from body.run(agent, frame, arguments)
            match body.end.name:
                case "cf.br":
                    arguments, block_number = yielded, self.targets[block_number][0]
                case "cf.cond_br":
                    [is_taken] = yield from agent.resolved(yielded[:1])
                    then = len(self.blocks[self.targets[block_number][0]].arguments)
                    arguments = yielded[1 : 1 + then] if is_taken else yielded[1 + then :]
                    block_number = self.targets[block_number][0 if is_taken else 1]
                case "cf.switch":
                    [value] = yield from agent.resolved(yielded[:1])
                    chosen = self.cases[block_number].get(int(value), 0)
                    sizes = [len(self.blocks[t].arguments) for t in self.targets[block_number][: chosen + 1]]
                    arguments = yielded[1 + sum(sizes[:-1]) : 1 + sum(sizes)]
                    block_number = self.targets[block_number][chosen]
                case _:
                    return yielded
            yield


class Translator:
    """Translates blocks into bodies; functions are looked up by name and translated at their first call.

    `grouped(translator, ops)` returns steps for operations that run together, and the other operations unchanged.
    """

    def __init__(self, machine: Any, module: AnyOp, grouped: Callable[[Translator, list[Any]], Iterable[Any]]) -> None:
        self.machine, self.module, self.grouped = machine, module, grouped
        self.slots: dict[Any, int] = {}
        self.symbols: dict[str, ir.Operation] = {}
        self.bodies: dict[str, Body] = {}
        for op in machine.symbol_tables(module):
            if "sym_name" in op.attributes:
                self.symbols.setdefault(sym_name_of(op), op)

    def slot(self, value: ir.Value) -> int:
        """The slot of an SSA value."""
        return self.slots.setdefault(value, len(self.slots))

    def region(self, op: AnyOp, index: int = 0) -> Body | None:
        """The body of a region with one block; None if it is empty."""
        blocks = list(op.regions[index].blocks)
        if not blocks:
            return None
        if len(blocks) > 1:
            raise Unsupported(op, "has several blocks in a region, and the interpreter runs structured control flow here")
        return self.body(blocks[0])

    def function(self, name: str) -> Body | None:
        """The body of function `name`; None for a declaration."""
        if name not in self.bodies:
            op = self.symbols[name]
            if not op.regions[0].blocks:
                return None
            blocks = list(op.regions[0].blocks)
            self.bodies[name] = self.graph(blocks) if len(blocks) > 1 else self.body(blocks[0])
        return self.bodies[name]

    def graph(self, blocks: list[ir.Block]) -> Graph:
        """The blocks of a function's body."""
        graph = Graph()
        for block in blocks:
            end = [o.operation for o in block.operations][-1]
            if end.name not in ("cf.br", "cf.cond_br", "cf.switch", "func.return"):
                raise Unsupported(end, f"ends a block and the interpreter cannot execute it: it has no rule for {end.name}")
            graph.targets.append([blocks.index(s) for s in end.successors])
            values = end.attributes.get("case_values", ())
            graph.cases.append({int(value): n for n, value in enumerate(values, 1)})
        graph.blocks = [self.body(b) for b in blocks]
        graph.arguments = graph.blocks[0].arguments
        return graph

    def body(self, block: ir.Block) -> Body:
        """The steps of a block."""
        body = Body()
        body.arguments = tuple(self.slot(a) for a in block.arguments)
        *ops, last = [o.operation for o in block.operations]
        if last.name not in TERMINATORS:
            ops.append(last)
        body.end = self._bare(last)
        if last.name not in TERMINATORS:
            body.end.operands = ()
        body.yields = body.end.operands
        for item in self.grouped(self, ops):
            body.steps.append(item if isinstance(item, Step) else self.step(item))
        self._close(body, block)
        return body

    def step(self, op: ir.Operation) -> Step:
        """The step of one operation."""
        step = self._bare(op)
        if op.name in rules.PURE:
            step.is_pure = True
            step.run = rules.PURE[op.name](op)
        elif op.name in rules.TASK:
            step.is_lazy = op.name in rules.LAZY
            step.run = rules.TASK[op.name](self, step)
        elif op.context.allow_unregistered_dialects and not op.context.is_registered_operation(op.name) and not len(op.regions):
            step.run = rules.TASK[rules.UNREGISTERED](self, step)
        else:
            raise Unsupported(op, f"is one that the interpreter cannot execute: it has no rule for {op.name}")
        return step

    def _bare(self, op: ir.Operation) -> Step:
        return Step(op, tuple(self.slot(v) for v in op.operands), tuple(self.slot(v) for v in op.results))

    def _close(self, body: Body, block: ir.Block) -> None:
        """Finds the outer values that the block uses."""
        inside: set[int] = set(body.arguments)
        used: dict[int, None] = {}
        for top in block.operations:
            for op in walk_post_order(top):
                inside.update(self.slot(r) for r in op.results)
                for region in op.regions:
                    for inner in region.blocks:
                        inside.update(self.slot(a) for a in inner.arguments)
                used.update(dict.fromkeys(self.slot(v) for v in op.operands))
        body.free = tuple(s for s in used if s not in inside)
