"""Drops unused results of a generic, inputs that its body does not use, and destinations that it does not read."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import defining_op, is_unused, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import Generic, generics, has_all_loops, rewrite
from allo_air.passes._ir.tensors import empty


def drop_unused_results(function: AnyOp) -> None:
    """Drops unused results, such as argmax next to max, if no other result of the body depends on their accumulator.

    Before:

        %0:2 = linalg.generic ins(%x) outs(%low, %zeros) { ... linalg.yield %maximum, %index }   // %0#1 unused

    After:

        %0 = linalg.generic ins(%x) outs(%low) { ... linalg.yield %maximum }
    """
    for generic in generics(function, last_first=True):
        used_results = _needed_results(generic)
        if used_results and len(used_results) < len(generic.outs):
            count = len(generic.inputs)
            places: list[Any] = list(range(count))
            for n in range(len(generic.outs)):
                places.append(count + used_results.index(n) if n in used_results else generic.outs[0])
            result = rewrite(generic, list(zip(generic.inputs, generic.maps, strict=False)), places, used_results)
            _drop_dead(Generic.of(result))


def drop_unused_inputs(function: AnyOp) -> None:
    """Drops inputs that the body does not use, and merges duplicate inputs."""
    for generic in generics(function):
        count, first = len(generic.inputs), dict[Any, int]()
        kept_inputs: list[int] = []
        places: list[int] = []
        for n, (value, map_, argument) in enumerate(zip(generic.inputs, generic.maps, generic.arguments, strict=False)):
            number = first.setdefault((value, str(map_)), len(kept_inputs))
            used = not is_unused(argument)
            if number == len(kept_inputs) and used:
                kept_inputs.append(n)
            elif number == len(kept_inputs):
                del first[value, str(map_)]
            places.append(number if used else -1)
        if len(kept_inputs) < count and has_all_loops(
            generic.maps[n] for n in (*kept_inputs, *range(count, len(generic.maps)))
        ):
            inputs = [(generic.inputs[n], generic.maps[n]) for n in kept_inputs]
            outs = [generic.outs[0] if p < 0 else p for p in places]
            rewrite(generic, inputs, [*outs, *range(len(kept_inputs), len(kept_inputs) + len(generic.outs))])


def drop_unread_destinations(function: AnyOp) -> None:
    """Replaces destinations whose elements are all written and not read by tensor.empty, those of fills, too.

    Before:

        %y = linalg.generic ins(%x) outs(%argument) { ^bb0(%in, %out): linalg.yield (math.exp %in) }

    After:

        %y = linalg.generic ins(%x) outs(%empty) { ... }
    """
    for generic in generics(function):
        count = len(generic.inputs)
        for n, (value, map_) in enumerate(zip(generic.outs, generic.maps[count:], strict=True)):
            result = defining_op(value)
            is_initialized = result is None or result.name != "tensor.empty"
            if is_initialized and map_.is_permutation and generic.is_parallel and is_unused(generic.arguments[count + n]):
                with ir.InsertionPoint(generic.op), generic.op.location:
                    generic.op.operands[count + n] = empty(value.type)
    for fill in walk_named(function, "linalg.fill"):
        if fill.results and (result := defining_op(fill.operands[1])) is not None and result.name != "tensor.empty":
            with ir.InsertionPoint(fill), fill.location:
                fill.operands[1] = empty(fill.results[0].type)


def _needed_results(generic: Generic) -> list[int]:
    """Used results, and those on whose accumulators such results depend."""
    used = {n for n, r in enumerate(generic.op.results) if not is_unused(r)}
    outs = {a: n for n, a in enumerate(generic.arguments[len(generic.inputs) :])}
    waiting = list(used)
    while waiting:
        for value in _dependences(generic.yielded[waiting.pop()]):
            n = outs.get(value)
            if n is not None and n not in used:
                used.add(n)
                waiting.append(n)
    return sorted(used)


def _dependences(value: ir.Value) -> set[Any]:
    """The values that `value` depends on, in its block."""
    seen, waiting = {value}, [value]
    while waiting:
        reached = waiting.pop()
        if hasattr(reached.owner, "operands"):
            new = [o for o in reached.owner.operands if o not in seen]
            seen.update(new)
            waiting += new
    return seen


def _drop_dead(generic: Generic) -> None:
    """Erases unused operations of the body, since they may refer to erased values."""
    for op in reversed(generic.body):
        if op.results and all(map(is_unused, op.results)):
            op.erase()
