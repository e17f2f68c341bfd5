"""Whole functions on the array: `allo_air.customize(f).build(target="aie")`.

A function that becomes linalg is mapped to the array by pipeline `npu`. Any other function becomes a region with one kernel on
one core.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from allo_air.errors import AlloAirError, ArgumentError, OptionError, counted
from allo_air.frontend import dsl
from allo_air.frontend.annotations import Declared
from allo_air.frontend.arrays import empty_result, from_memory, to_memory
from allo_air.frontend.calls import Nested
from allo_air.frontend.constants import storage
from allo_air.frontend.errors import KernelError
from allo_air.frontend.functions import Compiled
from allo_air.frontend.region import Region, kernel, read_region
from allo_air.frontend.schedule.schedule import Schedule
from allo_air.frontend.source import Source
from allo_air.frontend.types import TensorType
from allo_air.passes.simplify._not_raised import NotRaised
from allo_air.program.compile import compile_source, npu_name
from allo_air.program.program import Program
from allo_air.program.raising import raise_to_tensors
from allo_air.program.region import lower_region
from allo_air.program.source import Source as Text


@dataclass
class ArrayFunction:
    """A compiled function. A call on numpy arrays returns its results and changes arrays of its parameters in place."""

    compiled: Compiled
    program: Program
    changed: tuple[int, ...]
    """The numbers of the parameters that the function writes."""
    module: str
    """The compiled module as text: linalg, or the AIR of the region."""
    why: str = ""
    """Why the function runs on one core; empty if pipeline `npu` maps it to the array."""
    _tensors: tuple[Declared, ...] = field(repr=False, default=())
    """The tensors of the region on one core: parameters, then results."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.program}>"

    def __call__(self, *args: np.ndarray) -> Any:
        """Runs the function on the simulator. Further arguments, if any, are arrays for the results."""
        parameters, results = self.compiled.parameters, self.compiled.results
        if len(args) not in (len(parameters), len(parameters) + len(results)):
            raise ArgumentError(f"'{self.compiled.name}' takes {counted(len(parameters), 'argument')}, found {len(args)}")
        arguments, outs = args[: len(parameters)], args[len(parameters) :]
        names = self.compiled.names
        buffers = [to_memory(a, k, f"argument '{n}'") for a, k, n in zip(arguments, parameters, names, strict=True)]
        written = self._run_on_core(buffers) if self.why else self._run_on_array(buffers)
        returned = [from_memory(a, k, None) for a, k in zip(written, results, strict=False)]
        for number, array in zip(self.changed, written[len(results) :], strict=True):
            target, kind = arguments[number], parameters[number]
            if isinstance(target, np.ndarray):
                new = from_memory(array, kind, target.dtype)
                if target.flags.writeable or target.tobytes() != new.tobytes():
                    target[...] = new
        for out, result in zip(outs, returned, strict=False):
            out[...] = result
        values = [m.item() if k.shape is None else m for m, k in zip(returned, results, strict=True)]
        return None if not values else values[0] if len(values) == 1 else tuple(values)

    def _run_on_array(self, buffers: list[np.ndarray]) -> list[Any]:
        """Runs the program of pipeline npu; returns the results, then the changed parameters."""
        arrays = [_as_signless(h, k) for h, k in zip(buffers, self.compiled.parameters, strict=True)]
        outputs = self.program(*arrays)
        kinds = [*self.compiled.results, *(self.compiled.parameters[n] for n in self.changed)]
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        return [_with_sign(f, k) for f, k in zip(outputs, kinds, strict=True)]

    def _run_on_core(self, buffers: list[np.ndarray]) -> list[Any]:
        """Runs the region with one core; returns the results, then the changed parameters."""
        arrays = [_core_argument(h, k, p) for h, k, p in zip(buffers, self._tensors, self.compiled.parameters, strict=False)]
        outputs = [empty_result(k) for k in self._tensors[len(buffers) :]]
        self.program.simulated([*arrays, *outputs])
        results = [_cropped(m, r) if r.shape is not None else m[0] for m, r in zip(outputs, self.compiled.results, strict=True)]
        return [*results, *(_cropped(arrays[n], self.compiled.parameters[n]) for n in self.changed)]


def _core_argument(buffer: np.ndarray, kind: Declared, parameter: Declared) -> Any:
    """An argument in the form that the one-core region has."""
    if not _is_padded(parameter):
        return np.broadcast_to(buffer, kind.shape or ()).copy()
    flat = np.zeros(kind.shape or (), buffer.dtype)
    flat[: buffer.size] = buffer.ravel()
    return flat


def _cropped(array: np.ndarray, kind: Declared) -> Any:
    """A result or parameter without its padding."""
    return array[: prod(kind.shape or ())].reshape(kind.shape or ()) if _is_padded(kind) else array


def _as_signless(buffer: np.ndarray, kind: Declared) -> Any:
    """An argument in the form that pipeline npu has: signless integers."""
    if kind.element.bits == 1:
        return buffer.view(bool)
    return buffer.view(f"i{buffer.dtype.itemsize}") if buffer.dtype.kind == "u" else buffer


def _with_sign(array: np.ndarray, kind: Declared) -> Any:
    """A result with the signedness of its type."""
    dtype = storage(kind.element)
    return array if array.dtype == dtype else array.view(dtype)


def source_of_schedule(schedule: Schedule) -> Text:
    """The linalg of a schedule's function, for pipeline npu; raises NotRaised if the function runs on one core."""
    with schedule._context:
        return Text(raise_to_tensors(schedule._unscheduled, schedule.top.name).text, f"<{schedule.top.name}>")


def build_schedule(schedule: Schedule, device: str = "npu1", **options: object) -> ArrayFunction:
    """Compiles the function of a schedule for `device`. The primitives of the schedule have no effect."""
    device = npu_name(device)
    with schedule._context:
        try:
            result = raise_to_tensors(schedule._unscheduled, schedule.top.name)
            program = compile_source(Text(result.text, f"<{schedule.top.name}>"), None, device, "sim", options)
            return ArrayFunction(_unscheduled(schedule), program, result.changed, result.text)
        except NotRaised as error:
            why = f"the function contains {error}"
        except (KernelError, OptionError):
            raise
        except AlloAirError as error:
            why = str(error)
    try:
        return _compile_for_core(schedule, device, why)
    except AlloAirError as error:
        raise AlloAirError(f"'{schedule.top.name}' cannot be mapped: {why}; and it does not run on one core: {error}") from None


def _unscheduled(schedule: Schedule) -> Compiled:
    return schedule.original


def _compile_for_core(schedule: Schedule, device: str, why: str) -> ArrayFunction:
    """Compiles the function as a region with one kernel on one core, whose memory holds all tensors."""
    top = _unscheduled(schedule)
    source = schedule.source
    tensors = [_tensor(p) for p in top.parameters] + [_tensor(r) for r in top.results]
    names = [f"p{n}" for n in range(len(top.parameters))] + [f"r{n}" for n in range(len(top.results))]
    namespace: dict[str, Any] = {f"T{n}": t for n, t in enumerate(tensors)}
    namespace |= {"__function": Nested(source, schedule.template), "__kernel": kernel, "__grid": dsl.grid}
    arguments = ", ".join(f"{n}: T{i}" for i, n in enumerate(names))
    lines, back, call = [], [], []
    for name, kind in zip(names, top.parameters, strict=False):
        if _is_padded(kind):
            namespace[f"__{name}"] = TensorType(kind.element, kind.shape or ())
            lines += [f"a{name}: __{name}", *_copy_to_flat(kind, f"a{name}", name, into_flat=False)]
            back += _copy_to_flat(kind, f"a{name}", name, into_flat=True)
        call.append(f"a{name}" if _is_padded(kind) else name if kind.shape is not None else f"{name}[0]")
    results = names[len(top.parameters) :]
    targets = [f"x{n}" for n in range(len(results))]
    called = f"__function({', '.join(call)})"
    lines += [f"{', '.join(targets)} = {called}" if results else called, *back]
    for target, name, kind in zip(targets, results, top.results, strict=True):
        whole = "0" if kind.shape is None else ", ".join([":"] * len(kind.shape))
        lines += _copy_to_flat(kind, target, name, into_flat=True) if _is_padded(kind) else [f"{name}[{whole}] = {target}"]
    body = "\n".join(f"        {line}" for line in lines)
    text = (
        f"def {source.name}({arguments}):\n    @__kernel(mapping=[1], args=[{', '.join(names)}])\n"
        f"    def whole({arguments}):\n{body}\n"
    )
    [tree] = ast.parse(text).body
    assert isinstance(tree, ast.FunctionDef)
    ast.increment_lineno(tree, source.tree.lineno - 1)
    region = Region(Source(source.function, (namespace, *source.frame_names), tree))
    spec = read_region(region)
    spec.rules, spec.rebinds = schedule.rules, schedule.rebinds
    lowered = lower_region(spec, device)
    program = compile_source(Text(lowered.assembled.text, "<region>"), "air-npu", device, "sim", {"core_code": "improved"})
    changed = tuple(n for n, written in enumerate(lowered.written[: len(top.parameters)]) if written)
    return ArrayFunction(top, program, changed, lowered.assembled.text, why, tuple(spec.tensors.values()))


def _tensor(kind: Declared) -> TensorType:
    """The tensor for a parameter or result in the region.

    DMAs move 4-byte words. So a scalar becomes a word, and a tensor whose rows are not whole words becomes flat and padded.
    """
    per_word = max(1, 4 // -(-kind.element.bits // 8))
    if kind.shape is None:
        return TensorType(kind.element, (per_word,))
    return TensorType(kind.element, (-(-prod(kind.shape) // per_word) * per_word,) if _is_padded(kind) else kind.shape)


def _is_padded(kind: Declared) -> bool:
    """Whether a tensor is padded, because its rows are not whole words of 4 bytes."""
    return bool(kind.shape) and kind.shape[-1] * -(-kind.element.bits // 8) % 4 != 0  # type: ignore[index]


def _copy_to_flat(kind: Declared, tensor: str, flat: str, *, into_flat: bool) -> list[str]:
    """The lines of a loop that copies a tensor to its flat form, or back."""
    shape = kind.shape or ()
    variables = [f"i{n}" for n in range(len(shape))]
    flat_index = " + ".join(f"{v} * {prod(shape[n + 1 :])}" for n, v in enumerate(variables))
    left, right = f"{tensor}[{', '.join(variables)}]", f"{flat}[{flat_index}]"
    copy_ = f"{right} = {left}" if into_flat else f"{left} = {right}"
    return [f"for {', '.join(variables)} in __grid({', '.join(map(str, shape))}):", f"    {copy_}"]
