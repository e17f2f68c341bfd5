"""Applies the steps of a schedule to functions of another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.frontend.schedule.names import Named
from allo_air.mlir import ir
from allo_air.scheduling.script import Step

if TYPE_CHECKING:
    from allo_air.frontend.types import ScalarType


class Composition(Named):
    """A scheduled function to which the steps of other schedules are applied."""

    if TYPE_CHECKING:
        steps: list[Step]
        _composed: set[tuple[Any, str, str]]

        def _do(self, step: Step) -> None: ...

    def _apply(self, schedule: Composition, names: Sequence[str]) -> None:
        """Applies the steps of `schedule` to the functions `names`. If one fails, the module is unchanged."""
        before, count, top, composed = str(self.plain), len(self.steps), self.top, set(self._composed)
        origin, text = schedule.functions[schedule.top.name][0], repr(schedule.steps)
        try:
            for name in names:
                finished = set(self._composed)  # instances share their callees
                for step_of_other in schedule.steps:
                    step = step_of_other.renamed(lambda function, name=name: self._local_name(schedule, function, name))  # type: ignore[misc]
                    key = (origin, text, repr(step))
                    if key not in finished or name in {place.function for place in step.places}:
                        self._do(step)
                        self._composed.add(key)
        except AlloAirError:
            with self._context:
                self.plain = ir.Module.parse(before)
            del self.steps[count:]
            self.top, self._composed = top, composed
            raise

    def _instances(self, schedule: Named, id: str | None, instantiate: Sequence[ScalarType | int] | None) -> list[str]:
        """The functions that are the top function of `schedule`: all instances, or those of a template or an `id`."""
        origin, template = schedule.functions[schedule.top.name][:2]
        instances = [name for name, (where, *_) in self.functions.items() if where == origin]
        instances = instances or [name for name in self.functions if name == schedule.top.name]
        arguments = tuple(instantiate) if instantiate is not None else template
        if arguments:
            instances = [name for name in instances if self.functions[name][1][: len(arguments)] == arguments]
        if id is not None:
            instances = [name for name in instances if id in self.functions[name][1] or name.endswith(f"_{id}")]
        if not instances:
            hint = "compose finds functions by where they are defined"
            raise UnknownNameError("function", schedule.top.name, self.functions, hint)
        return instances

    def _local_name(self, schedule: Named, function: str, top: str) -> str:
        """The name here of a function of `schedule`, whose top function is called `top` here."""
        if function == schedule.top.name:
            return top
        names = [name for name, key in self.functions.items() if key == schedule.functions[function]]
        if not names:
            raise UnknownNameError("function", function, self.functions)
        return names[0]
