"""Launches, segments and herds: a grid of instances. Without a token, they are ordered by the memory that they access."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import enclosing
from allo_air.dialects.air import L1
from allo_air.dialects.memrefs import memory_space
from allo_air.interp._async import asynchronous
from allo_air.interp.errors import RunError
from allo_air.interp.memory import of_core
from allo_air.interp.program import Body, Step, Translator
from allo_air.interp.rules import pure, task
from allo_air.interp.scheduler import Agent, Task, Token
from allo_air.interp.values import Frame
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.interp.memory import View
    from allo_air.interp.scheduler import Future

_PLACEMENT = ("x_loc", "y_loc", "x_size", "y_size")


@task("air.launch", "air.segment", "air.herd", "air.rank", lazy=True)
def hierarchy(translator: Translator, step: Step) -> Any:
    view = step.op.opview
    deps, rank, count = len(view.deps), len(view.sizes), len(view.args)
    first = len(step.op.operands) - rank - count
    body = translator.region(step.op)
    assert body is not None
    _check_placement(step)
    is_herd = step.name == "air.herd"
    own_copies = [is_herd and _is_of_cores(v) for v in view.args]

    def instances(own: Agent, sizes: list[int], args: list[Any]) -> Task:
        points = list(product(*map(range, sizes)))
        if step.name == "air.launch" and len(points) > 1 and not translator.machine.ordered_launches:
            own.machine.scheduler.random.shuffle(points)
        tokens: list[Token] = []
        for point in points:
            who = f"{step.op.attributes['sym_name'].value if 'sym_name' in step.op.attributes else step.name} {list(point)}"
            child = own.child(scope=[], core=own.core or is_herd, who=who if rank else own.who)
            if step.name == "air.launch":
                child.instance = own.machine.new_instance()
            arguments = [of_core(a, point) if apart else a for a, apart in zip(args, own_copies, strict=True)]
            values = [*point, *sizes, *arguments]
            tokens.append(own.machine.scheduler.spawn(child, instance(child, body, values), step))
            if step.name in ("air.launch", "air.rank"):  # one set of channels serves all instances, one after another
                while not tokens[-1].done:
                    yield tokens[-1]
        yield from own.wait(tokens)

    def start(own: Agent, operands: list[View | Future | Token | int]) -> Task:
        sizes = yield from own.resolved(operands[first : first + rank])
        if any(n < 0 for n in sizes):
            raise RunError(step.op, f"has sizes {sizes}, expected none below 0")
        yield from instances(own, sizes, operands[first + rank :])

    return asynchronous(translator, step, deps, start, unordered=step.name not in ("air.launch", "air.rank"))


@pure("air.universe.alloc")
def universe(op: ir.Operation) -> Any:
    """Represented by its capacity, since all ranks run on one device."""
    return lambda capacity: capacity


@pure("air.translate")
def translate(op: ir.Operation) -> Any:
    """A buffer of this rank; buffers of other ranks are on other devices and cannot be accessed."""

    def address(memref: object, source: int, target: int, bases: object) -> Any:
        if source != target:
            raise RunError(
                op, f"reaches from rank {source} to rank {target}; the interpreter runs one device, where all are one"
            )
        return memref

    return address


def instance(agent: Agent, body: Body, values: Sequence[View | Future | int]) -> Task:
    """Runs one instance to its end, and waits for the operations that it started."""
    yield from body.run(agent, Frame(), values)
    yield from agent.drained()


def _is_of_cores(value: ir.Value) -> bool:
    """Whether `value` is an L1 buffer from outside that only herds use: each core has its own, under one name."""
    if memory_space(value.type) != L1 or not isinstance(value, ir.OpResult):
        return False
    if value.owner.name == "air.execute":
        value = list(value.owner.regions[0].blocks[0].operations)[-1].operands[value.result_number - 1]
    if not isinstance(value, ir.OpResult) or value.owner.name != "memref.alloc":
        return False
    users = [use.owner.operation for use in value.uses]
    for user in users:
        if user.name == "air.execute_terminator":
            users += [use.owner.operation for r in user.parent.operation.results if r.type == value.type for use in r.uses]
    return all(user.name in ("air.herd", "memref.dealloc", "air.execute_terminator") for user in users)


def _check_placement(step: Step) -> None:
    """Does not change results; contradictory placement is an error."""
    attributes, view = step.op.attributes, step.op.opview
    values = {n: attributes[n].value for n in _PLACEMENT if n in attributes}
    for name, value in values.items():
        if value < (1 if name.endswith("size") else 0):
            raise RunError(step.op, f"has {name} = {value}, expected at least {1 if name.endswith('size') else 0}")
    if step.name != "air.herd" or "x_loc" not in values or "y_loc" not in values:
        return
    parent = enclosing(step.op, "air.segment")
    sizes = [v.owner.attributes["value"].value for v in view.sizes if getattr(v.owner, "name", "") == "arith.constant"]
    if parent is None or len(sizes) != 2 or any(n not in parent.attributes for n in _PLACEMENT):
        return
    for axis, size in zip("xy", sizes, strict=True):
        low, room = (parent.attributes[f"{axis}_{n}"].value for n in ("loc", "size"))
        origin = values[f"{axis}_loc"]
        if origin < low or origin + size > low + room:
            message = (
                f"is placed at {axis} = {origin} to {origin + size - 1}, outside of its segment's {low} to {low + room - 1}"
            )
            raise RunError(step.op, message, (parent, "is the segment"))
