"""Rejects programs of torch.export that cannot be imported, with errors at the lines of the model."""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.user_lines import is_library
from allo_air.errors import AlloAirError, ArgumentError, Diagnostic, DiagnosticError

if TYPE_CHECKING:
    import torch
    from torch.export import ExportedProgram


_IMPORTED = ("while_loop", "auto_functionalized", "flex_attention")
"""Higher-order operations of which torch-mlir's importer has a form."""


def export_error(error: Exception, name: str) -> DiagnosticError:
    """The error for an exception of torch.export in module `name`, at the model's line, or else at that of PyTorch's module."""
    every = [f for f in traceback.extract_tb(error.__traceback__) if f.filename[0] != "<"]
    frames = [f for f in every if not is_library(f.filename)] or [f for f in every if "/torch/nn/modules/" in f.filename]
    line = (frames[-1].filename, frames[-1].lineno or 0) if frames else ("", 0)
    message = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    if "data-dependent" in message:
        message = (
            f"its control flow depends on input values, but a program has one control flow for all inputs: use torch.where"
            f" instead of a branch, and sizes that are fixed ({message.partition(' (unhinted')[0]})"
        )
    return DiagnosticError([Diagnostic("error", *line, 0, f"torch.export cannot export {name}: {message}")])


def check_sizes(program: torch.export.ExportedProgram, name: str) -> None:
    """Raises an error for unknown sizes: of inputs, which the example must fix, and of results that depend on data."""
    for node in program.graph.nodes:
        shape = getattr(node.meta.get("val"), "shape", ())
        if all(isinstance(size, int) for size in shape):
            continue
        sizes = ", ".join(map(str, shape))
        if node.op == "placeholder":
            raise AlloAirError(
                f"{name}: input '{node.name}' is of open size ({sizes}); export it without dynamic_shapes, with an example of"
                " the sizes that it is to be compiled for"
            )
        message = (
            f"{name}: the size of the result of {node.target} depends on data ({sizes}), and a program's sizes are fixed; use a"
            " mask of the full size instead, as torch.where does"
        )
        raise error_at(node, message)


def check_deterministic(program: torch.export.ExportedProgram, name: str) -> None:
    """Raises an error for random numbers, since a program has no random state."""
    for node in program.graph.nodes:
        if any(tag.name == "nondeterministic_seeded" for tag in getattr(node.target, "tags", ())):
            message = (
                f"{name}: operation {node.target} draws random numbers, and a program on the array has no state; give them as"
                " an input (torch.nn.Dropout: call eval() first)"
            )
            raise error_at(node, message)


def _line(trace: str) -> tuple[str, int]:
    """File and line of the innermost frame in the user's code."""
    places = re.findall(r'File "(.+?)", line (\d+)', trace)
    frames = [(file, int(number)) for file, number in places if file[0] != "<" and not is_library(file)]
    return frames[-1] if frames else ("", 0)


def check_real(program: torch.export.ExportedProgram, name: str, reason: str = "") -> None:
    """Raises an error for complex numbers; `reason` says what has no form for pairs of real ones."""
    because = f" ({reason})" if reason else ""
    for node in program.graph.nodes:
        if getattr(getattr(node.meta.get("val"), "dtype", None), "is_complex", False):
            subject = f"input '{node.name}'" if node.op == "placeholder" else f"the result of {node.target}"
            message = (
                f"{name}: {subject} is of complex numbers, which the array does not have{because}; compute with real and"
                " imaginary parts (rotary positions: with cosines and sines)"
            )
            raise error_at(node, message)


def check_dense(program: torch.export.ExportedProgram, name: str) -> None:
    """Raises an error for sparse and quantized tensors, which have no form in linalg."""
    import torch

    for node in program.graph.nodes:
        value = node.meta.get("val")
        quantized = [t for t in (getattr(value, "dtype", None), *node.args) if t in (torch.qint8, torch.quint8, torch.qint32)]
        if not quantized and getattr(value, "layout", torch.strided) == torch.strided:
            continue
        subject = f"input '{node.name}'" if node.op == "placeholder" else f"the result of {node.target}"
        kind, instead = (
            (f"of the quantized type {quantized[0]}", "use integers with a scale (torch.ops.quantized_decomposed, PT2E)")
            if quantized
            else (f"a sparse tensor ({value.layout})", "use to_dense()")
        )
        raise error_at(node, f"{name}: {subject} is {kind}, and programs take dense tensors of numbers; {instead}")


def check_leaves(args: Sequence[object], kwargs: Mapping[str, object], name: str) -> None:
    """Raises an error for example inputs that are arrays of numpy."""
    import numpy as np
    from torch.utils import _pytree as pytree

    for number, leaf in enumerate(pytree.tree_leaves((tuple(args), dict(kwargs)))):
        if isinstance(leaf, (np.ndarray, np.generic)):
            raise ArgumentError(
                f"{name}: example input {number} is a numpy.{type(leaf).__name__}, expected a torch.Tensor;"
                " torch.as_tensor makes one"
            )


def algorithm_not_taken(program: ExportedProgram, name: str) -> DiagnosticError | None:
    """The error that names the first linear algebra algorithm, such as a decomposition, or the first higher-order operation,
    since the importer's own message does not.
    """
    import torch

    for node in program.graph.nodes:
        if isinstance(node.target, torch._ops.HigherOrderOperator) and node.target.name() not in _IMPORTED:
            return error_at(node, f"{name}: operation {node.target} is not supported; write it with other operations")
        if re.match(r"aten\._?linalg_", str(node.target)):
            return error_at(node, f"{name}: operation {node.target} has no lowering to linalg in torch-mlir; run it outside")
    return None


def type_not_taken(program: ExportedProgram, kind: object, name: str) -> DiagnosticError | None:
    """The error that names the first value of an unsupported type."""
    for node in program.graph.nodes:
        if getattr(node.meta.get("val"), "dtype", None) == kind:
            subject = f"input '{node.name}'" if node.op == "placeholder" else f"the result of {node.target}"
            return error_at(
                node, f"{name}: {subject} is of {kind}, which torch-mlir does not take; use torch.int32 or torch.int64"
            )
    return None


def error_at(node: Any, message: str) -> DiagnosticError:
    """The error `message` at the model's line of `node`."""
    return DiagnosticError([Diagnostic("error", *_line(node.meta.get("stack_trace") or ""), 0, message)])
