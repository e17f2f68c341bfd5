"""ONNX models on the array: `model = allo_air.onnx.compile("model.onnx", device="npu2")`, then `model(*arrays)`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from allo_air.core.calls import FLAG, FUNCTION, NAME, PATH, checked
from allo_air.importers.onnx_files import from_onnx
from allo_air.models.against_onnx import check_import
from allo_air.models.model import Model, build
from allo_air.program.lowering import Progress

__all__ = ["compile"]


@checked(path=PATH, device=NAME, dtype=NAME | None, strict=FLAG, cache=FLAG, check=FLAG, progress=FUNCTION | None)
def compile(
    path: str | os.PathLike[str],
    *,
    shapes: Mapping[str, Sequence[int]] | None = None,
    device: str = "npu1",
    dtype: str | None = None,
    strict: bool = False,
    cache: bool = True,
    check: bool = True,
    progress: Progress | None = None,
) -> Model:
    """The model in the ONNX file `path` as a program with its weights inside, called with numpy arrays in its inputs' order.

    `shapes` fixes the sizes of inputs that the file leaves open. What the array does not do runs on the host, as
    `model.report()` tells; with `strict` that is an error. With `dtype="bf16"` products of f32 are of operands
    rounded to bf16 (sums stay in f32). Raises AlloAirError for a damaged file, an open size, an operation
    without a lowering, each named. What is new is run once on the host, for a drawn input, and an operation is named
    whose results are not those of onnxruntime, or of ONNX's reference, unless `check` is off.
    """
    made = build(from_onnx(path, shapes), device, dtype=dtype, strict=strict, cache=cache, progress=progress)
    if check and not made.is_cached:
        check_import(path, made)
    return made
