"""`allo_air.customize` and its result: a kernel with its schedule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_args

from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.frontend.functions import Compiled, compile_function
from allo_air.frontend.labels import lower_to_loops
from allo_air.frontend.rules import RuleSet
from allo_air.frontend.schedule.composition import Composition
from allo_air.frontend.schedule.names import loop_names
from allo_air.frontend.schedule.targets import Elements, Partition, Target
from allo_air.frontend.source import Source, callers
from allo_air.frontend.state import Module
from allo_air.mlir import ir, new_context
from allo_air.scheduling.loops import Loop, find
from allo_air.scheduling.script import Place, Step, run, script
from allo_air.target.hls.flavors import FLAVORS

if TYPE_CHECKING:
    from allo_air.frontend.annotations import Declared
    from allo_air.frontend.types import ScalarType

_TAKEN = frozenset({"configs", "wrap_io", "use_memory"})
"""Options of `build` that are not options of the array. Ports of C++ are plain arrays with and without `wrap_io`."""


@dataclass(repr=False)
class Schedule(Composition):
    """A compiled function and the primitives that rewrite it.

    Loops are named by their variables: `"i"`; `"band:i"` if several have the name, with the name given to `allo_air.grid` or
    `S_i_j_0`; `"function:i"` or `"function:band:i"` in another function than the top one. A primitive that cannot be applied
    raises, and leaves the module unchanged.
    """

    source: Source = field(repr=False)
    template: tuple[Any, ...]
    original: Compiled = field(repr=False)
    """The top function before the first primitive."""
    rules: RuleSet
    """The typing rules of its arithmetic: see `rules`."""
    rebinds: bool
    _unscheduled: str = field(repr=False)
    steps: list[Step] = field(default_factory=list)
    _composed: set[tuple[Any, str, str]] = field(default_factory=set, repr=False)
    """Steps of other schedules that were applied: the function, all its steps, and the applied step."""

    def _do(self, step: Step) -> None:
        """Applies a primitive. If it fails, the module is unchanged."""
        with self._context, ir.Location.unknown():
            before = str(self.plain)
            try:
                run(step, self.plain)
            except Exception:
                self.plain = ir.Module.parse(before)
                raise
            self.steps.append(step)
            self._retype()

    def _retype(self) -> None:
        """Updates the shapes of the top function's parameters and results after `reshape`."""
        kind = self._function(self.top.name).type
        values = [_shaped(p, t) for p, t in zip(self.top.parameters, kind.inputs, strict=True)]
        results = [_shaped(r, t) for r, t in zip(self.top.results, kind.results, strict=True)]
        self.top = replace(self.top, parameters=tuple(values), results=tuple(results))

    def split(self, axis: Loop | str, factor: int) -> None:
        """Splits loop i into i.outer and i.inner; i.inner runs `factor` times."""
        if not isinstance(factor, int) or isinstance(factor, bool):
            raise AlloAirError(f"split takes a whole number above 0, found {factor!r}")
        self._do(Step(f"split({loop_names(axis)}, {factor})", "split", (self._place(axis),), {"factor": factor}))

    def reorder(self, *axes: Loop | str) -> None:
        """Reorders the loops of a perfect nest to the order of `axes`."""
        if len(axes) < 2:
            raise AlloAirError("reorder takes two loops or more, each once")
        self._do(Step(f"reorder({loop_names(*axes)})", "reorder", tuple(map(self._place, axes))))

    def fuse(self, *axes: Loop | str) -> Loop:
        """Merges loops i and j of a perfect nest into i_j_fused, which is returned."""
        if len(axes) < 2:
            raise AlloAirError("fuse takes two loops or more")
        places = tuple(map(self._place, axes))
        self._do(Step(f"fuse({loop_names(*axes)})", "fuse", places))
        result = "_".join([*(p.loop.rpartition(":")[2] for p in places), "fused"])
        with self._context:
            return find(self._loops(places[0].function), f"{places[0].loop.rpartition(':')[0]}:{result}")

    def _mark(self, text: str, axis: Loop | str, **marks: int) -> None:
        self._do(Step(text, "annotate", (self._place(axis),), dict(marks)))

    def unroll(self, axis: Loop | str, factor: int = 0) -> None:
        """Marks a loop to be unrolled, `factor` times or completely."""
        self._mark(f"unroll({loop_names(axis)}, {factor})", axis, unroll=factor)

    def parallel(self, axis: Loop | str) -> None:
        """Marks a loop whose iterations may run concurrently."""
        self._mark(f"parallel({loop_names(axis)})", axis, parallel=1)

    def pipeline(self, axis: Loop | str, initiation_interval: int = 1, rewind: bool = False) -> None:
        """Marks a loop to be pipelined, with an iteration started every `initiation_interval` cycles."""
        if not isinstance(initiation_interval, int) or initiation_interval < 1:
            raise AlloAirError(f"the interval of pipeline must be a whole number above 0, found {initiation_interval!r}")
        marks = {"pipeline_ii": initiation_interval, **({"rewind": 1} if rewind else {})}
        self._mark(f"pipeline({loop_names(axis)}, {initiation_interval})", axis, **marks)

    def dataflow(self, axis: int) -> None:
        """Marks a loop, or a function by its name, whose parts run concurrently."""
        axis = self._named(axis) if not isinstance(axis, Loop) else axis
        if isinstance(axis, str) and axis in self.functions:
            self._do(Step(f"dataflow({axis})", "annotate", (Place(axis),), {"dataflow": 1}))
        else:
            self._mark(f"dataflow({loop_names(axis)})", axis, dataflow=1)

    def _note(self, text: str, target: Target | str, name: str, value: str) -> None:
        result = self._target(target)
        self._do(Step(text, "note", (Place(result.function),), {"tensor": result.name, "name": name, "value": value}))

    def partition(
        self,
        target: Target | str,
        partition_type: int | str = Partition.Complete,
        dim: int | Sequence[int] = 0,
        factor: int = 0,
    ) -> None:
        """Records how a tensor is partitioned over memories; this has no effect on a CPU."""
        result = self._target(target)
        note = Partition.note(partition_type, dim, factor)
        before = self._remark(result, "partition")
        Partition.check(result.name, before, note, self._rank(result))
        text = f"partition({result.name}, {note.replace(':', ', ')})"
        self._note(text, target, "partition", f"{before};{note}" if before else note)

    def buffer_at(self, target: Target | str, axis: Loop | str) -> Target:
        """Makes the body of loop `axis` work on a buffer for the part of `target` that it uses; returns the buffer."""
        return self._buffer("buffer_at", "buffer", target, axis)

    def reuse_at(self, target: Any, axis: Any) -> Target:
        """Keeps the data of `target` that the next iteration of loop `axis` reads again in a buffer, which is returned."""
        return self._buffer("reuse_at", "reuse", target, axis)

    def _buffer(self, op: str, suffix: str, target: Target | str, axis: Loop | str) -> Target:
        result, place = self._target(target), self._place(axis)
        base = f"{result.name}_{place.loop.rpartition(':')[2]}_{suffix}"
        new = self._free(result.function, base)
        text = f"{op}({result.name}, {loop_names(axis)})"
        self._do(Step(text, op, (place,), {"tensor": result.name, "buffer": new}))
        return Target(result.function, new)

    def compute_at(self, from_loop: Loop | str, target_loop: Loop | str) -> None:
        """Moves the nest around `from_loop` into `target_loop`, for the part of its result that an iteration uses."""
        places = (self._place(from_loop), self._place(target_loop))
        self._do(Step(f"compute_at({loop_names(from_loop, target_loop)})", "compute_at", places))

    def unfold(
        self, band_name: str, axes: Sequence[int] | int | None = None, *, axis: int | None = None, factor: Any = None
    ) -> Elements:
        """Creates a processing element for each iteration of a nest's loops `axes`; its result is a destination for `to`."""
        chosen = axes if axes is not None else axis if axis is not None else 0
        numbers = [chosen] if isinstance(chosen, int) else list(chosen)
        band = self._band(band_name)
        loops = list(band.loops.values())
        if factor is not None:
            self._check_factors(loops, numbers, [factor] if isinstance(factor, int) else list(factor))
        place = Place(loops[0].function, f"{loops[0].band}:{loops[0].name}")
        self._do(Step(f"unfold({band_name}, {numbers})", "unfold", (place,), {"axes": tuple(numbers)}))
        self._outlined()
        return Elements(loops[0].function, band_name, tuple(numbers))

    def to(self, target: Any, dst: object, axis: int | None = None, depth: int = -1) -> None:
        """Streams a tensor to a function, or from element to element along `axis`.

        The function that has the tensor becomes dataflow: its callees run concurrently.
        """
        name = dst.band if isinstance(dst, Elements) else str(dst)
        if not isinstance(dst, Elements) and name not in self.functions:
            raise UnknownNameError("function", name, self.functions, "a tensor goes to a function, or to what unfold returned")
        text = f"to({self._target(target).name}, {name}, {axis}, {depth})"
        self._note(text, target, "stream", f"{name}:{'' if axis is None else axis}:{depth}")
        function = self._target(target).function
        self._do(Step(f"dataflow({function})", "annotate", (Place(function),), {"dataflow": 1}))

    relay = to

    def reshape(self, target: Any, shape: Sequence[int]) -> None:
        """Reshapes a tensor to a shape of equal size; if it is a parameter of the top function, callers pass the new shape."""
        result = self._target(target)
        attributes: dict[str, Any] = {"tensor": result.name, "shape": tuple(int(n) for n in shape)}
        self._do(Step(f"reshape({result.name}, {tuple(shape)})", "reshape", (Place(result.function),), attributes))

    def inline(self, axis: str | None = None) -> None:
        """Replaces calls of function `axis` by its body; without one, calls of all functions."""
        for name in [axis] if axis is not None else [n for n in self.functions if n != self.top.name]:
            self._do(Step(f"inline({name})", "inline", (Place(name),)))
            self.functions.pop(name, None)

    def compose(self, *schedules: object, id: str | None = None, instantiate: Sequence[ScalarType | int] | None = None) -> None:
        """Applies the steps of other schedules to their functions in this one: all of a function, or the instance `id`."""
        for schedule in [o for group in schedules for o in (group if isinstance(group, (list, tuple)) else [group])]:
            if callable(schedule) and hasattr(schedule, "__code__"):
                schedule = _of_library(schedule, instantiate)
            if not isinstance(schedule, Schedule):
                raise AlloAirError(f"compose takes schedules, or functions of a library; found {schedule!r}")
            self._apply(schedule, self._instances(schedule, id, instantiate))

    def script(self) -> str:
        """The whole schedule as a transform script: `allo-opt --pass-pipeline='apply-schedule{script=FILE}'` applies it
        again.
        """
        with self._context:
            return script(self.steps)

    def verify(self, seed: int = 0) -> Any:
        """Runs this and the unscheduled function on the same random inputs. Returns True if they agree; otherwise prints the
        difference.
        """
        from allo_air.frontend.schedule.verify import compare

        return compare(self._unscheduled, self, seed)

    def build(self, target: str | None = None, mode: str | None = None, project: str | None = None, **options: object) -> Any:
        """Compiles to a callable on numpy arrays, on the CPU (`target="llvm"`) or on the array (`target="aie"`, with `device=`
        npu1 or npu2).

        Targets of high-level synthesis (`vitis_hls`, ...) return C++, which C simulation (`mode="csim"`) runs. For the array,
        the planner works on the unscheduled function, since primitives change no result.
        """
        if target in ("aie", "sim"):
            return import_module("allo_air.program.array_function").build_schedule(self, **options)
        if wrong := set(options) - _TAKEN:
            raise UnknownNameError("option of build", min(wrong), _TAKEN, f"this target takes {', '.join(sorted(_TAKEN))}")
        if target in FLAVORS:
            hls: Any = import_module("allo_air.program.hls").build_hls(
                str(self.plain), self.top, target, mode, project, options.get("configs")
            )
            return hls
        if target not in (None, "llvm"):
            raise UnknownNameError("target", target, ["llvm", "aie", *FLAVORS])
        from allo_air.frontend.cpu import build

        return build(str(self.plain), self.top)


def _of_library(function: Callable[..., object], instantiate: Sequence[ScalarType | int] | None) -> Schedule:
    """A function of our library, scheduled by `schedule_NAME` of its module."""
    result = customize(function, instantiate=instantiate)
    rewrite = getattr(import_module(function.__module__), f"schedule_{function.__name__}", None)
    return rewrite(result) if rewrite is not None else result


def _shaped(kind: Declared, type_: ir.MemRefType) -> Any:
    """A parameter or result with its current shape."""
    return kind if kind.shape is None else replace(kind, shape=tuple(ir.MemRefType(type_).shape))


def customize(
    fn: Callable[..., object],
    verbose: bool = False,
    enable_tensor: bool = False,
    lower_linalg: bool = False,
    global_vars: dict[str, Any] | None = None,
    instantiate: Sequence[ScalarType | int] | None = None,
    context: object = None,
    typing_rule_set: RuleSet = "default",
    unroll: bool = True,
) -> Schedule:
    """Compiles a Python function; `instantiate` gives the types and numbers of its template, in order."""
    names = (*([global_vars] if global_vars else []), *callers(1))
    return scheduled(Source(fn, names), tuple(instantiate or ()), typing_rule_set, lower_linalg=lower_linalg)


def scheduled(
    source: Source,
    template: tuple[ScalarType | int, ...],
    rules: RuleSet = "default",
    *,
    lower_linalg: bool = False,
    rebinds: bool = False,
) -> Schedule:
    """A compiled function without schedule steps."""
    if rules not in get_args(RuleSet):
        raise UnknownNameError("typing_rule_set", str(rules), get_args(RuleSet), f"there are {', '.join(get_args(RuleSet))}")
    result = new_context()
    with result, ir.Location.unknown():
        module = ir.Module.create()
        shared = Module(module, compile_function, rules, labels={} if lower_linalg else None, prints=True, rebinds=rebinds)
        with ir.InsertionPoint(module.body):
            top = compile_function(shared, source, template)
        module.operation.verify()
        if lower_linalg:
            lower_to_loops(module)
        return Schedule(module, top, dict(shared.origins), result, source, template, top, rules, rebinds, str(module))
