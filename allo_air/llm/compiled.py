"""Compiles pieces of a language model to programs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from allo_air.device import DEVICES, Device
from allo_air.errors import DiagnosticError
from allo_air.importers.torch_arrays import array_of, tensor_of
from allo_air.importers.torch_modules import Exported, from_torch
from allo_air.llm.decoding import CompiledPiece, StreamedProgram, arrangement, products_of
from allo_air.llm.examples import Example
from allo_air.llm.pieces import StreamedProduct, WholeProduct
from allo_air.llm.planes import PLANE_COLUMNS
from allo_air.program.compile import compile as compile_program


@dataclass(frozen=True, eq=False)
class Compiled(CompiledPiece):
    """A compiled piece."""

    exported: Exported

    def __call__(self, *args: Any) -> Any:
        """The piece's results for tensors, nested as in the example. For a WholeProduct, the host's part is included."""
        module = self.example.module
        value = module.core_inputs(*args) if isinstance(module, WholeProduct) else args
        program = self.program(*[array_of(t) for t in self.exported.flat(value, {})])
        arrays = program if isinstance(program, tuple) else (program,)
        results = self.exported.results([tensor_of(a) for a in arrays])
        return module.finish(results, *args) if isinstance(module, WholeProduct) else results


def _streamed(example: Example, device: str, cache: bool) -> StreamedProgram:
    form, (_, weight, *_) = example.module.form, example.args
    rows, groups, half = weight[0].shape
    order = arrangement(device, "int4", 2 * half, products_of(form).values())
    text, kernels = order.text(rows, 2 * half * groups), {order.name: order.kernel()}
    result = compile_program(text, "air-npu", device=device, cache=cache, kernels=kernels)
    return StreamedProgram(example, result, order)


TILE_ROWS = 16
"""Rows of weights that a core holds at a time in a WholeProduct. It is the same for all sizes, so that one configuration serves
all.
"""


def _in_rows(device: Device) -> dict[str, Any]:
    """The plan of a WholeProduct: each core of a column computes different rows of weights."""
    cores = device.columns * len(device.core_rows)
    return {"herd_m": TILE_ROWS, "cores_m": cores, "herd_n": PLANE_COLUMNS, "cores_n": 1}


def compiled(example: Example, device: str, cache: bool, bfp16: bool = False) -> Compiled | StreamedProgram:
    """Compiles `example` for `device`; a DiagnosticError begins with the name of the piece.

    With `bfp16`, products of several rows are computed in block floating point, except in attention.
    """
    options: dict[str, Any] = {"bfp16": True} if bfp16 and example.rows > 1 and not example.name.startswith("attend") else {}
    if isinstance(example.module, WholeProduct):
        options = _in_rows(DEVICES[device])
    try:
        if isinstance(example.module, StreamedProduct):
            return _streamed(example, device, cache)
        exported = from_torch(example.module, example.args)
        return Compiled(example, compile_program(exported.model.text, device=device, cache=cache, **options), exported)
    except DiagnosticError as error:
        first = error.diagnostics[0]
        named = replace(first, message=f"piece '{example.name}' of the model: {first.message}")
        raise DiagnosticError([named, *error.diagnostics[1:]]) from error
