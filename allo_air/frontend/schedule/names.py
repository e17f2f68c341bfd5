"""What the parts of a scheduled function are called: its functions, loops, nests of loops and tensors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.frontend.functions import Compiled
from allo_air.frontend.schedule.targets import Band, Bands, Target, UnknownAttributeError
from allo_air.mlir import func
from allo_air.scheduling import buffers
from allo_air.scheduling.loops import Loop, constant_range, find, loops_of
from allo_air.scheduling.script import Place

_METHODS_OF_OTHERS = {
    "get_equivalent_variables": "buffers are named: use their names",
}
"""What Allo's schedules have and these do not, with what to do instead."""


@dataclass
class Named:
    """A compiled function, and what is found in it by name; `module` is the MLIR module as it stands."""

    module: Any
    top: Compiled
    functions: dict[str, tuple[Any, ...]] = field(repr=False)
    """The module's functions: what each was compiled from."""
    _context: Any = field(repr=False)

    @property
    def top_func_name(self) -> str:
        return self.top.name

    @property
    def top_func(self) -> Any:
        return self._function(self.top.name)

    def __getattr__(self, name: str) -> Target:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in _METHODS_OF_OTHERS:
            raise AlloAirError(f"'{name}' is not there: {_METHODS_OF_OTHERS[name]}")
        names = buffers.names(self._function(self.top.name))
        if name not in names:
            raise UnknownAttributeError(str(UnknownNameError("tensor", name, names)))
        return Target(self.top.name, name)

    def _function(self, name: str) -> Any:
        found = {op.name.value: op for op in self.module.body.operations if isinstance(op, func.FuncOp)}
        if name not in found:
            raise UnknownNameError("function", name, found)
        return found[name]

    def _named(self, function: Any) -> Any:
        """The name of a function that is given as itself, of Python or of the module."""
        if isinstance(function, func.FuncOp):
            return function.name.value
        return getattr(function, "__name__", function)

    def _loops(self, function: str | None = None) -> list[Loop]:
        return loops_of(self._function(function or self.top.name))

    def _loop(self, axis: Any) -> Loop:
        function = axis.function if isinstance(axis, Loop) else None
        head, _, rest = str(axis).partition(":") if not isinstance(axis, Loop) else ("", "", "")
        if rest and head in self.functions:
            function, axis = head, rest
        return find(self._loops(function), axis)

    def _place(self, axis: Any) -> Place:
        with self._context:
            found = self._loop(axis)
            return Place(found.function, f"{found.band}:{found.name}")

    def get_loops(self, func: Any = None) -> Bands:
        """The loop nests of a function, which its name or itself tells, by name; each holds its loops by name."""
        func = self._named(func)
        with self._context:
            found: dict[str, Band] = {}
            for loop in self._loops(func):
                found.setdefault(loop.band, Band("loop", {})).loops[loop.name] = loop
                for band in loop.around:
                    if band in found:
                        found[band].within.setdefault(loop.name, loop)
            return Bands("loop nest", found)

    def _band(self, name: str) -> Band:
        function, _, band = name.rpartition(":")
        found = self.get_loops(function or None)
        return found[band]

    def _target(self, target: Any) -> Target:
        """A tensor: `s.A`, its name, or `function:name`."""
        if isinstance(target, Target):
            return target
        if isinstance(target, str):
            function, _, name = target.rpartition(":")
            return Target(function or self.top.name, name)
        raise AlloAirError(f"a tensor is wanted here, as s.A, found {target!r}")

    def _check_factors(self, loops: list[Loop], axes: list[int], factors: list[int]) -> None:
        with self._context:
            for axis, factor in zip(axes, factors, strict=False):
                turns = len(constant_range(loops[axis])) if axis < len(loops) else 0
                if turns != factor:
                    raise AlloAirError(
                        f"loop '{loops[axis].name}' has {turns} turns, and cannot be unfolded into {factor}: split it first"
                    )

    def _free(self, function: str, base: str) -> str:
        """A name for a new tensor: `base`, with a number where it is taken."""
        with self._context:
            taken = buffers.names(self._function(function))
        made, count = base, 0
        while made in taken:
            made, count = f"{base}_{count}", count + 1
        return made


def said(*axes: Any) -> str:
    """Loops as messages and scripts call them."""
    return ", ".join(f"{a.band}:{a.name}" if isinstance(a, Loop) else str(a) for a in axes)
