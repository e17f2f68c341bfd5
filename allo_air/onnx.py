"""ONNX models on the array: `model = allo_air.onnx.compile("model.onnx", device="npu2")`, then `model(*arrays)`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.core.calls import COUNT, FLAG, FUNCTION, NAME, PATH, SHAPES, Kind, checked
from allo_air.importers.onnx_files import from_onnx
from allo_air.models.against_onnx import check_import
from allo_air.models.model import Model, build
from allo_air.program.lowering import Progress

if TYPE_CHECKING:
    from onnx import ModelProto

__all__ = ["compile"]


_PROTO = "ModelProto"
"""The class of a model in memory, by name: the package onnx is optional."""


def _model(value: str | Path) -> Any:
    return value if type(value).__name__ == _PROTO else PATH.convert(value)


@contextmanager
def _file_of(model: ModelProto) -> Iterator[Any]:
    """The path of a file with `model`. A ModelProto goes to a temporary file, and its weights to a second one above 2 GiB."""
    if type(model).__name__ != _PROTO:
        yield model
        return
    import onnx

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        large = model.ByteSize() >= 1 << 31  # the limit of a protocol buffer
        onnx.save_model(model, str(path), save_as_external_data=large)
        yield path


@checked(
    model=Kind("a path or an onnx.ModelProto", _model),
    shapes=SHAPES | None,
    device=NAME,
    dtype=NAME | None,
    strict=FLAG,
    cache=FLAG,
    cache_limit=COUNT | None,
    check=FLAG,
    progress=FUNCTION | None,
)
def compile(
    model: str | os.PathLike[str] | Path,
    *,
    shapes: Mapping[str, Sequence[int]] | None = None,
    device: str = "npu1",
    dtype: str | None = None,
    strict: bool = False,
    cache: bool = True,
    cache_limit: int | None = None,
    check: bool = True,
    progress: Progress | None = None,
) -> Model:
    """The ONNX model in a file, or an `onnx.ModelProto`, as a program with its weights inside.

    Call it with numpy arrays in the order of the model's inputs, or by their names. `shapes` fixes the sizes of inputs that
    the model leaves open. Operations that the array does not support run on the host, as `model.report()` shows; with
    `strict` they are an error. With `dtype="bf16"`, products of f32 round their operands to bf16 (sums stay in f32). A
    model that is not in the cache is run once on the host, for random inputs, and an operation whose results differ from
    onnxruntime's, or from those of ONNX's reference, is an error that names it; `check=False` omits this. The cache of
    programs holds at most `cache_limit` bytes. Raises AlloAirError for a damaged file, an open size, and an operation
    without a lowering, each by name.
    """
    graph = getattr(model, "graph", None)
    graph_name = "" if graph is None else graph.name or "model"
    with _file_of(model) as path:
        source = from_onnx(path, shapes, graph_name)
        result = build(source, device, dtype=dtype, strict=strict, cache=cache, cache_limit=cache_limit, progress=progress)
        if check and not result.is_cached:
            check_import(path, result)
    return result
