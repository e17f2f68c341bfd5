"""The names of a scheduled function's parts: functions, loops, loop nests and tensors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allo_air.errors import AlloAirError, UnknownNameError, counted
from allo_air.frontend.functions import Compiled
from allo_air.frontend.schedule.targets import Band, Bands, Target, UnknownAttributeError
from allo_air.mlir import func, ir
from allo_air.scheduling import buffers, named, partitions
from allo_air.scheduling.loops import Loop, constant_range, find, loops_of
from allo_air.scheduling.script import Place

_OUTLINED = "outlined"
"""Marks the origin of a function that `unfold` created."""


@dataclass
class Named:
    """A compiled function and its parts by name. `plain` is the MLIR module, with partitions as text annotations."""

    plain: Any = field(repr=False)
    top: Compiled
    functions: dict[str, tuple[Any, ...]] = field(repr=False)
    """The module's functions, each with the Python function from which it was compiled."""
    _context: Any = field(repr=False)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.top.name}>"

    @property
    def module(self) -> Any:
        """The MLIR module with partitions as layouts of the tensors' types, and linalg operations named after their
        statements.
        """
        with self._context, ir.Location.unknown():
            return partitions.with_layouts(named.named_ops(self.plain))

    @property
    def top_func_name(self) -> str:
        return self.top.name

    @property
    def top_func(self) -> Any:
        return self._function(self.top.name)

    def __getattr__(self, name: str) -> Target:
        if name.startswith("_"):
            raise AttributeError(name)
        names = buffers.names(self._function(self.top.name))
        if name not in names:
            methods = [each for each in dir(type(self)) if not each.startswith("_")]
            hint = f"'{self.top.name}' has tensors {', '.join(names)}"
            raise UnknownAttributeError(str(UnknownNameError("tensor or primitive", name, [*names, *methods], hint)))
        return Target(self.top.name, name)

    def _function(self, name: str) -> Any:
        results = {op.name.value: op for op in self.plain.body.operations if isinstance(op, func.FuncOp)}
        if name not in results:
            raise UnknownNameError("function", name, results)
        return results[name]

    def _named(self, function: object) -> Any:
        """The name of a function that the user passes as an object, of Python or of the module."""
        if isinstance(function, func.FuncOp):
            return function.name.value
        return getattr(function, "__name__", function)

    def _loops(self, function: str | None = None) -> list[Loop]:
        return loops_of(self._function(function or self.top.name))

    def _loop(self, axis: Loop | str) -> Loop:
        function = axis.function if isinstance(axis, Loop) else None
        head, _, rest = str(axis).partition(":") if not isinstance(axis, Loop) else ("", "", "")
        if rest and head in self.functions:
            function, axis = head, rest
        return find(self._loops(function), axis)

    def _place(self, axis: Loop | str) -> Place:
        with self._context:
            loop = self._loop(axis)
            return Place(loop.function, f"{loop.band}:{loop.name}")

    def get_loops(self, func: str | None = None) -> Bands:
        """The loop nests of a function (by name or as an object); each nest contains its loops by name."""
        func = self._named(func)
        with self._context:
            bands: dict[str, Band] = {}
            for loop in self._loops(func):
                bands.setdefault(loop.band, Band("loop", {})).loops[loop.name] = loop
                for band in loop.outer_bands:
                    if band in bands:
                        bands[band].within.setdefault(loop.name, loop)
            return Bands("loop nest", bands)

    def _band(self, name: str) -> Band:
        function, _, band = name.rpartition(":")
        loops = self.get_loops(function or None)
        return loops[band]

    def _target(self, target: Target | str) -> Target:
        """A tensor: `s.A`, its name, or `function:name`."""
        if isinstance(target, str):
            function, _, name = target.rpartition(":")
            target = Target(function or self.top.name, name)
        if hasattr(target, "func") and hasattr(target, "name"):
            target = Target(target.func or self.top.name, target.name)
        if isinstance(target, Target):
            return self._moved(target)
        raise AlloAirError(f"expected a tensor, as s.A, found {target!r}")

    def _moved(self, target: Target) -> Target:
        """The current position of a tensor; `unfold` moves tensors of a loop body to another function."""
        with self._context:
            if target.name not in buffers.names(self._function(target.function)):
                for name in self.functions:
                    if self.functions[name][0] == _OUTLINED and target.name in buffers.names(self._function(name)):
                        return Target(name, target.name)
        return target

    def _remark(self, target: Target, name: str) -> str:
        """The annotation of a primitive on a tensor; "" if there is none."""
        with self._context:
            return buffers.attached_text(buffers.find(self._function(target.function), target.name), name)

    def _rank(self, target: Target) -> int:
        """The rank of a tensor."""
        with self._context:
            return len(buffers.find(self._function(target.function), target.name).type.shape)

    def _outlined(self) -> None:
        """Registers the functions that `unfold` created."""
        for op in self.plain.body.operations:
            if isinstance(op, func.FuncOp):
                self.functions.setdefault(op.name.value, (_OUTLINED, op.name.value))

    def get_equivalent_variables(self, name: str) -> list[Target]:
        """The tensors of other functions that alias the tensor `name` (`s.A`, or `function:A`)."""
        target = self._target(name)
        with self._context:
            op = self._function(target.function)
            return [Target(*place) for place in partitions.corresponding_tensors(buffers.find(op, target.name), self.plain)]

    def _check_factors(self, loops: list[Loop], axes: list[int], factors: list[int]) -> None:
        with self._context:
            for axis, factor in zip(axes, factors, strict=False):
                trip_count = len(constant_range(loops[axis])) if axis < len(loops) else 0
                if trip_count != factor:
                    raise AlloAirError(
                        f"loop '{loops[axis].name}' has "
                        f"{counted(trip_count, 'iteration')}, and cannot be unfolded into {factor}: "
                        f"split it first"
                    )

    def _free(self, function: str, base: str) -> str:
        """A name for a new tensor: `base`, with a number if it is taken."""
        with self._context:
            used_names = buffers.names(self._function(function))
        result, count = base, 0
        while result in used_names:
            result, count = f"{base}_{count}", count + 1
        return result


def loop_names(*axes: Loop | str) -> str:
    """The loops, as messages and scripts name them."""
    return ", ".join(f"{a.band}:{a.name}" if isinstance(a, Loop) else str(a) for a in axes)
