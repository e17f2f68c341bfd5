"""`allo_air.customize` and what it gives: a kernel with its schedule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.frontend.errors import KernelError
from allo_air.frontend.functions import Compiled, compile_function
from allo_air.frontend.rules import RuleSet
from allo_air.frontend.schedule import buffers, nests
from allo_air.frontend.schedule.loops import Loop, find, loops_of
from allo_air.frontend.source import Source, callers
from allo_air.frontend.state import Module
from allo_air.mlir import PassManager, func, ir, new_context


class Partition:
    """How `Schedule.partition` cuts a tensor."""

    Complete, Block, Cyclic = "Complete", "Block", "Cyclic"


@dataclass(frozen=True)
class Target:
    """A tensor of a function, by its name: `s.A`."""

    function: str
    name: str


class Band(dict[str, Loop]):
    """The loops of a nest by name: `band.i` or `band["i"]`."""

    def __getattr__(self, name: str) -> Loop:
        try:
            return self[name]
        except KeyError:
            raise UnknownNameError("loop", name, self) from None


class Bands(dict[str, Band]):
    """The loop nests of a function by name."""

    def __getattr__(self, name: str) -> Band:
        try:
            return self[name]
        except KeyError:
            raise UnknownNameError("loop nest", name, self) from None


@dataclass
class Schedule:
    """A compiled function and the primitives that rewrite it; `module` is the MLIR module as it stands.

    Loops are named by their variables: `"i"`; `"band:i"` where several have the name, with the name given to `allo_air.grid` or
    `S_i_j_0`. A primitive that cannot be applied raises, and leaves the module as it was.
    """

    module: Any
    top: Compiled
    _context: Any = field(repr=False)
    steps: list[str] = field(default_factory=list)

    @property
    def top_func_name(self) -> str:
        return self.top.name

    def __getattr__(self, name: str) -> Target:
        if name.startswith("_"):
            raise AttributeError(name)
        names = buffers.names(self._function(self.top.name))
        if name not in names:
            raise UnknownNameError("tensor", name, names)
        return Target(self.top.name, name)

    def _function(self, name: str) -> Any:
        found = {op.name.value: op for op in self.module.body.operations if isinstance(op, func.FuncOp)}
        if name not in found:
            raise UnknownNameError("function", name, found)
        return found[name]

    def _loops(self, function: str | None = None) -> list[Loop]:
        return loops_of(self._function(function or self.top.name))

    def _axis(self, axis: Any) -> tuple[Loop, list[Loop]]:
        function = axis.function if isinstance(axis, Loop) else None
        text = str(axis) if not isinstance(axis, Loop) else ""
        names = [op.name.value for op in self.module.body.operations if op.operation.name == "func.func"]
        head = text.split(":", 1)[0] if ":" in text else ""
        if head in names:
            function, text = head, text.split(":", 1)[1]
            axis = text
        loops = self._loops(function)
        return find(loops, axis), loops

    def _change(self, step: str, rewrite: Callable[[], None]) -> None:
        """Runs a rewrite on the module; if it fails, the module is as it was."""
        with self._context, ir.Location.unknown():
            before = self.module.operation.clone()
            try:
                rewrite()
                PassManager.parse("builtin.module(func.func(canonicalize,cse))").run(self.module.operation)
                self.module.operation.verify()
            except (AlloAirError, ir.MLIRError) as error:
                self._restore(before)
                if isinstance(error, AlloAirError):
                    raise
                raise KernelError(f"{step}: {error}") from None
            self.steps.append(step)

    def _restore(self, before: Any) -> None:
        self.module = ir.Module.parse(str(before))

    def get_loops(self, func: str | None = None) -> Bands:
        """The loop nests of a function."""
        with self._context:
            found = Bands()
            for loop in self._loops(func):
                found.setdefault(loop.band, Band())[loop.name] = loop
            return found

    def split(self, axis: Any, factor: int) -> None:
        """Loop i becomes i.outer and i.inner, which runs `factor` times."""
        self._change(f"split({axis!s}, {factor})", lambda: nests.split(self._axis(axis)[0], factor))

    def reorder(self, *axes: Any) -> None:
        """Gives loops of a perfect nest the order of `axes`."""

        def rewrite() -> None:
            found = [self._axis(a) for a in axes]
            nests.reorder([loop for loop, _ in found], found[0][1])

        self._change(f"reorder({', '.join(map(str, axes))})", rewrite)

    def fuse(self, *axes: Any) -> None:
        """Loops i and j of a perfect nest become i_j_fused."""

        def rewrite() -> None:
            found = [self._axis(a) for a in axes]
            nests.fuse([loop for loop, _ in found], found[0][1])

        self._change(f"fuse({', '.join(map(str, axes))})", rewrite)

    def _mark(self, axis: Any, **marks: int) -> None:
        def rewrite() -> None:
            loop, _ = self._axis(axis)
            for name, value in marks.items():
                loop.op.attributes[name] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), value)

        self._change(f"{', '.join(marks)}({axis!s})", rewrite)

    def unroll(self, axis: Any, factor: int = 0) -> None:
        """Marks a loop to be unrolled, `factor` times or completely."""
        self._mark(axis, unroll=factor)

    def parallel(self, axis: Any) -> None:
        """Marks a loop whose turns may run at the same time."""
        self._mark(axis, parallel=1)

    def pipeline(self, axis: Any, initiation_interval: int = 1, rewind: bool = False) -> None:
        """Marks a loop to be pipelined, with a turn begun every `initiation_interval` cycles."""
        self._mark(axis, pipeline_ii=initiation_interval, **({"rewind": 1} if rewind else {}))

    def dataflow(self, axis: Any) -> None:
        """Marks a loop, or a function by its name, whose parts run at the same time."""
        names = [op.name.value for op in self.module.body.operations if op.operation.name == "func.func"]
        if axis not in names:
            self._mark(axis, dataflow=1)
            return

        def rewrite() -> None:
            self._function(axis).operation.attributes["dataflow"] = ir.UnitAttr.get()

        self._change(f"dataflow({axis})", rewrite)

    def partition(
        self, target: Target, partition_type: str = Partition.Complete, dim: int | Sequence[int] = 0, factor: int = 0
    ) -> None:
        """Notes how a tensor is cut over memories; on a CPU that changes nothing."""

        def rewrite() -> None:
            found = buffers.find(self._function(target.function), target.name)
            buffers.note(found, "partition", f"{partition_type}:{dim}:{factor}")

        self._change(f"partition({target.name}, {partition_type}, {dim}, {factor})", rewrite)

    def buffer_at(self, target: Target, axis: Any) -> Target:
        """Lets the body of loop `axis` work on a buffer for the part of `target` that it uses; returns the buffer."""
        made: list[str] = []

        def rewrite() -> None:
            loop, _ = self._axis(axis)
            made.append(buffers.buffer_at(self._function(target.function), target.name, loop))

        self._change(f"buffer_at({target.name}, {axis!s})", rewrite)
        return Target(target.function, made[0])

    def compose(self, *others: Any, id: str | None = None, instantiate: Any = None) -> None:
        """Takes the functions of other schedules, as they are scheduled there, for this one's functions of their names."""
        for other in [o for group in others for o in (group if isinstance(group, (list, tuple)) else [group])]:
            if not isinstance(other, Schedule):
                raise AlloAirError(f"compose takes schedules, found {other!r}")
            self._change(f"compose({other.top.name})", lambda other=other: self._replace_functions(other))  # type: ignore[misc]

    def _replace_functions(self, other: Schedule) -> None:
        text = str(other.module)
        theirs = ir.Module.parse(text)
        self._function(other.top.name)
        mine = {op.name.value: op for op in self.module.body.operations if isinstance(op, func.FuncOp)}
        for op in theirs.body.operations:
            if isinstance(op, func.FuncOp) and op.name.value in mine:
                old = mine[op.name.value]
                op.operation.clone(ip=ir.InsertionPoint(old))
                old.operation.erase()

    def build(self, target: str | None = None, mode: str | None = None, project: str | None = None, **_ignored: Any) -> Any:
        """A callable on numpy arrays; `target` is `llvm`, the CPU."""
        if target not in (None, "llvm"):
            raise UnknownNameError("target", target, ["llvm"], "regions (df.build) run on the NPU")
        from allo_air.frontend.cpu import build

        return build(str(self.module), self.top)


def customize(
    fn: Callable[..., Any],
    verbose: bool = False,
    enable_tensor: bool = False,
    lower_linalg: bool = False,
    global_vars: dict[str, Any] | None = None,
    instantiate: Sequence[Any] | None = None,
    context: Any = None,
    typing_rule_set: RuleSet = "default",
    unroll: bool = True,
) -> Schedule:
    """Compiles a Python function; `instantiate` gives the types and numbers of its template, in order."""
    names = (*([global_vars] if global_vars else []), *callers(1))
    source = Source(fn, names)
    made = new_context()
    with made, ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            top = compile_function(Module(module, compile_function, typing_rule_set), source, tuple(instantiate or ()))
        module.operation.verify()
        if lower_linalg:
            PassManager.parse("builtin.module(func.func(convert-linalg-to-affine-loops))").run(module.operation)
    return Schedule(module, top, made)
