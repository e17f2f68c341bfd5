"""Whole functions on the array: `allo_air.customize(f).build(target="aie")`."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from allo_air.errors import AlloAirError, ArgumentError, OptionError
from allo_air.frontend import dsl
from allo_air.frontend.annotations import Declared
from allo_air.frontend.arrays import from_memory, room, to_memory
from allo_air.frontend.calls import Nested
from allo_air.frontend.constants import storage
from allo_air.frontend.errors import KernelError
from allo_air.frontend.functions import Compiled
from allo_air.frontend.region import Region, kernel, read_region
from allo_air.frontend.schedule.schedule import Schedule
from allo_air.frontend.source import Source
from allo_air.frontend.types import TensorType
from allo_air.frontend.whole.raising import raised
from allo_air.frontend.whole.refusal import NotRaised
from allo_air.program.compile import compile_source, npu_name
from allo_air.program.program import Program
from allo_air.program.region import lower_region
from allo_air.program.source import Source as Text


@dataclass
class ArrayFunction:
    """A function that runs on the array; called on numpy arrays, it returns its results, and changes arrays in place.

    `program` is what runs. `why` says why the function runs on one core as it is, and is empty where the mapper spread it.
    """

    compiled: Compiled
    program: Program
    changed: tuple[int, ...]
    module: str
    why: str = ""
    _tensors: tuple[Declared, ...] = field(repr=False, default=())
    """The tensors of the region of one core: parameters, then results."""

    def __call__(self, *args: np.ndarray) -> Any:
        """Runs it on the simulator."""
        parameters, results = self.compiled.parameters, self.compiled.results
        if len(args) not in (len(parameters), len(parameters) + len(results)):
            raise ArgumentError(f"'{self.compiled.name}' takes {len(parameters)} arguments, found {len(args)}")
        value, outs = args[: len(parameters)], args[len(parameters) :]
        names = self.compiled.names
        buffers = [to_memory(a, k, f"argument '{n}'") for a, k, n in zip(value, parameters, names, strict=True)]
        match = self._on_one_core(buffers) if self.why else self._spread(buffers)
        new_values = [from_memory(a, k, None) for a, k in zip(match, results, strict=False)]
        for number, array in zip(self.changed, match[len(results) :], strict=True):
            target, kind = value[number], parameters[number]
            if isinstance(target, np.ndarray):
                new = from_memory(array, kind, target.dtype)
                if target.flags.writeable or target.tobytes() != new.tobytes():
                    target[...] = new
        for out, result in zip(outs, new_values, strict=False):
            out[...] = result
        values = [m.item() if k.shape is None else m for m, k in zip(new_values, results, strict=True)]
        return None if not values else values[0] if len(values) == 1 else tuple(values)

    def _spread(self, buffers: list[np.ndarray]) -> list[Any]:
        arrays = [_as_signless(h, k) for h, k in zip(buffers, self.compiled.parameters, strict=True)]
        program = self.program(*arrays)
        kinds = [*self.compiled.results, *(self.compiled.parameters[n] for n in self.changed)]
        several = program if isinstance(program, tuple) else (program,)
        return [_as_held(f, k) for f, k in zip(several, kinds, strict=True)]

    def _on_one_core(self, buffers: list[np.ndarray]) -> list[Any]:
        arrays = [_core_argument(h, k, p) for h, k, p in zip(buffers, self._tensors, self.compiled.parameters, strict=False)]
        new_values = [room(k) for k in self._tensors[len(buffers) :]]
        self.program.simulated([*arrays, *new_values])
        results = [
            _cropped(m, r) if r.shape is not None else m[0] for m, r in zip(new_values, self.compiled.results, strict=True)
        ]
        return [*results, *(_cropped(arrays[n], self.compiled.parameters[n]) for n in self.changed)]


def _core_argument(buffer: np.ndarray, kind: Declared, parameter: Declared) -> Any:
    """An argument as the region of one core takes it."""
    if not _is_padded(parameter):
        return np.broadcast_to(buffer, kind.shape or ()).copy()
    flat = np.zeros(kind.shape or (), buffer.dtype)
    flat[: buffer.size] = buffer.ravel()
    return flat


def _cropped(array: np.ndarray, kind: Declared) -> Any:
    return array[: prod(kind.shape or ())].reshape(kind.shape or ()) if _is_padded(kind) else array


def _as_signless(buffer: np.ndarray, kind: Declared) -> Any:
    """An argument as the mapper's program takes it."""
    if kind.element.bits == 1:
        return buffer.view(bool)
    return buffer.view(f"i{buffer.dtype.itemsize}") if buffer.dtype.kind == "u" else buffer


def _as_held(array: np.ndarray, kind: Declared) -> Any:
    """A result with the sign of its type."""
    dtype = storage(kind.element)
    return array if array.dtype == dtype else array.view(dtype)


def source_of_schedule(schedule: Schedule) -> Text:
    """What the mapper compiles for the function of a schedule; NotRaised where the function runs on one core as it is."""
    with schedule._context:
        return Text(raised(schedule._unscheduled, schedule.top.name).text, f"<{schedule.top.name}>")


def build_schedule(schedule: Schedule, device: str = "npu1", **options: object) -> ArrayFunction:
    """The function of a schedule for `device`; its primitives change no result, and the mapper plans by itself."""
    device = npu_name(device)
    with schedule._context:
        try:
            result = raised(schedule._unscheduled, schedule.top.name)
            program = compile_source(Text(result.text, f"<{schedule.top.name}>"), None, device, "sim", options)
            return ArrayFunction(_unscheduled(schedule), program, result.changed, result.text)
        except NotRaised as error:
            why = f"the function holds {error}"
        except (KernelError, OptionError):
            raise
        except AlloAirError as error:
            why = str(error)
    try:
        return _one_core(schedule, device, why)
    except AlloAirError as error:
        raise AlloAirError(f"'{schedule.top.name}' cannot be mapped: {why}; and it does not run on one core: {error}") from None


def _unscheduled(schedule: Schedule) -> Compiled:
    return schedule.original


def _one_core(schedule: Schedule, device: str, why: str) -> ArrayFunction:
    """The function as the kernel of one core, on tensors that are all in its memory."""
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
            lines += [f"a{name}: __{name}", *_flat(kind, f"a{name}", name, into_flat=False)]
            back += _flat(kind, f"a{name}", name, into_flat=True)
        call.append(f"a{name}" if _is_padded(kind) else name if kind.shape is not None else f"{name}[0]")
    results = names[len(top.parameters) :]
    targets = [f"x{n}" for n in range(len(results))]
    called = f"__function({', '.join(call)})"
    lines += [f"{', '.join(targets)} = {called}" if results else called, *back]
    for target, name, kind in zip(targets, results, top.results, strict=True):
        whole = "0" if kind.shape is None else ", ".join([":"] * len(kind.shape))
        lines += _flat(kind, target, name, into_flat=True) if _is_padded(kind) else [f"{name}[{whole}] = {target}"]
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
    """A parameter or result as the region has it: the DMA moves words of 4 bytes, so odd rows come flat and filled up."""
    per_word = max(1, 4 // -(-kind.element.bits // 8))
    if kind.shape is None:
        return TensorType(kind.element, (per_word,))
    return TensorType(kind.element, (-(-prod(kind.shape) // per_word) * per_word,) if _is_padded(kind) else kind.shape)


def _is_padded(kind: Declared) -> bool:
    """Whether the rows of a tensor are no whole words of 4 bytes."""
    return bool(kind.shape) and kind.shape[-1] * -(-kind.element.bits // 8) % 4 != 0  # type: ignore[index]


def _flat(kind: Declared, tensor: str, flat: str, *, into_flat: bool) -> list[str]:
    """The loop between a tensor and its elements in a row."""
    shape = kind.shape or ()
    variables = [f"i{n}" for n in range(len(shape))]
    at = " + ".join(f"{v} * {prod(shape[n + 1 :])}" for n, v in enumerate(variables))
    left, right = f"{tensor}[{', '.join(variables)}]", f"{flat}[{at}]"
    copy_ = f"{right} = {left}" if into_flat else f"{left} = {right}"
    return [f"for {', '.join(variables)} in __grid({', '.join(map(str, shape))}):", f"    {copy_}"]
