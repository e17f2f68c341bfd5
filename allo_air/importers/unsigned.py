"""Rewrites arithmetic on unsigned bytes in i32, since torch-mlir treats them as signed."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor
    from torch.export import ExportedProgram

_NAMES = (
    "_assert_tensor_metadata _to_copy _unsafe_view alias arange as_strided cat chunk clone constant_pad_nd"
    " contiguous copy detach embedding empty expand flatten flip full gather index index_put index_select"
    " lift_fresh_copy movedim narrow permute repeat reshape roll scatter select select_scatter slice slice_scatter"
    " split split_with_sizes squeeze stack t tile to transpose type_as unbind unflatten unsqueeze view where"
)
_MOVES = frozenset(_NAMES.split())
"""Operations that convert or move elements, or describe them, and so need no rewriting."""


def on_unsigned_bytes(
    torch: ModuleType, program: ExportedProgram, table: dict[object, Callable[..., object]]
) -> dict[Any, Callable[..., Any]]:
    """`table` of torch.export with decompositions for the operations of `program` on unsigned bytes.

    Bytes are extended to i32. A result of bytes is the low eight bits: sums, products and shifts are exact modulo 256, and
    quotients and comparisons are exact. Floats are converted to bytes through i32.
    """
    results = {**table, torch.ops.aten._to_copy.default: _to_byte(torch, table.get(torch.ops.aten._to_copy.default))}
    for node in program.graph.nodes:
        name = str(getattr(node.target, "namespace", ""))
        if node.op != "call_function" or name != "aten" or node.target._schema.name.removeprefix("aten::") in _MOVES:
            continue
        if any(_is_byte(torch, each.meta.get("val")) for each in node.all_input_nodes):
            results[node.target] = _extended(torch, node.target, table.get(node.target))
    return results


def _is_byte(torch: ModuleType, value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype == torch.uint8


def _to_byte(torch: ModuleType, original: Callable[..., object] | None) -> Callable[..., Any]:
    def converted(x: Tensor, **kwargs: object) -> Any:
        if kwargs.get("dtype") == torch.uint8 and x.is_floating_point():
            return torch.ops.aten._to_copy(torch.ops.aten._to_copy(x, dtype=torch.int32), **kwargs)
        return NotImplemented if original is None else original(x, **kwargs)

    return converted


def _extended(torch: ModuleType, op: Callable[..., Tensor], original: Callable[..., object] | None) -> Callable[..., Any]:
    from torch.utils import _pytree as pytree

    def widened(*args: object, **kwargs: object) -> Any:
        tensors = [v for v in pytree.tree_leaves((args, kwargs)) if isinstance(v, torch.Tensor)]
        if not any(_is_byte(torch, t) for t in tensors):
            return NotImplemented if original is None else original(*args, **kwargs)
        ranked = [t for t in tensors if t.dim()] or tensors
        kind = reduce(torch.promote_types, [t.dtype for t in ranked])

        def wide(value: Tensor) -> Any:
            return value.to(torch.int32) if _is_byte(torch, value) else value

        def narrow(value: Tensor) -> Any:
            is_wide = isinstance(value, torch.Tensor) and value.dtype == torch.int32
            return value.to(kind) if is_wide and not kind.is_floating_point else value

        args, kwargs = pytree.tree_map(wide, (args, kwargs))
        return pytree.tree_map(narrow, op(*args, **kwargs))

    return widened
