"""Applies the steps of a schedule to functions of another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.frontend.schedule.schedule import Schedule
    from allo_air.frontend.types import ScalarType


def compose(schedule: Schedule, source: Schedule, names: Sequence[str]) -> None:
    """Applies the steps of `source` to the functions `names` of `schedule`. If one fails, the module is unchanged."""
    before, count, top, composed = str(schedule.plain), len(schedule.steps), schedule.top, set(schedule._composed)
    origin, text = source.functions[source.top.name][0], repr(source.steps)
    try:
        for name in names:
            done = set(schedule._composed)  # instances share their callees
            for step_of_source in source.steps:
                step = step_of_source.renamed(lambda function, name=name: _local_name(schedule, source, function, name))  # type: ignore[misc]
                key = (origin, text, repr(step))
                if key not in done or name in {place.function for place in step.places}:
                    schedule._do(step)
                    schedule._composed.add(key)
    except AlloAirError:
        with schedule._context:
            schedule.plain = ir.Module.parse(before)
        del schedule.steps[count:]
        schedule.top, schedule._composed = top, composed
        raise


def functions_of(
    schedule: Schedule, source: Schedule, id: str | None, instantiate: Sequence[ScalarType | int] | None
) -> list[str]:
    """The functions of `schedule` that are the top function of `source`: all instances, or those of a template or an `id`."""
    origin, template = source.functions[source.top.name][:2]
    instances = [name for name, (where, *_) in schedule.functions.items() if where == origin]
    instances = instances or [name for name in schedule.functions if name == source.top.name]
    arguments = tuple(instantiate) if instantiate is not None else template
    if arguments:
        instances = [name for name in instances if schedule.functions[name][1][: len(arguments)] == arguments]
    if id is not None:
        instances = [name for name in instances if id in schedule.functions[name][1] or name.endswith(f"_{id}")]
    if not instances:
        raise UnknownNameError(
            "function", source.top.name, schedule.functions, "compose finds functions by where they are defined"
        )
    return instances


def _local_name(schedule: Schedule, source: Schedule, function: str, top: str) -> str:
    """The name in `schedule` of a function of `source`, whose top function is called `top`."""
    if function == source.top.name:
        return top
    names = [name for name, key in schedule.functions.items() if key == source.functions[function]]
    if not names:
        raise UnknownNameError("function", function, schedule.functions)
    return names[0]
