"""The description of a kernel that a tile search uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from allo_air.arch import core_of
from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir
from allo_air.passes._analysis.columns import is_alone
from allo_air.passes._analysis.structured import loop_extents
from allo_air.passes.map._argument_slices import is_argument_slice
from allo_air.passes.map._demand import EXCESS, Model
from allo_air.passes.map._dimensions import Dimensions, indexed
from allo_air.passes.map._kernel import REDUCE, Kernel


@dataclass(frozen=True)
class Tensor:
    """A tensor of a kernel: its number in the model, bits of an element, its dimensions and their extents."""

    number: int
    bits: int
    dimensions: tuple[int, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Space:
    """The loops and tensors of a kernel, among whose tiles the search chooses.

    The loops are those of the root: the dimension of each (`loops`), its extent, and whether its tiles are independent. The
    tensors are operands (`inputs`), results (`outputs`), and those that only the kernel's operations use (`inside`).
    """

    kernel: Kernel
    model: Model
    device: Device
    loops: tuple[int, ...]
    rigid: tuple[bool, ...]
    extents: tuple[int, ...]
    independent: tuple[bool, ...]
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    inside: tuple[Tensor, ...]
    indexed: frozenset[int]
    """Dimensions whose indices a body computes with."""
    recomputing: tuple[bool, ...]
    """For each loop of the root: whether its tiles may compute parts of tensors repeatedly, since another operation reduces its
    dimension, or a tensor has the dimension twice.
    """
    arguments: frozenset[int] = frozenset()
    """The arguments, by number, that must be padded to whole words if no tile divides them."""
    is_alone: bool = False
    """Whether the kernel has the whole array."""
    fitting: dict[tuple[int, ...], Any] = field(default_factory=dict, repr=False, compare=False)
    """Cache of `fits`, by tile. Devices that differ only in their columns share it."""
    searches: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """Cache of the best tiles, by request."""


def space(kernel: Kernel, device: Device, excess: float = EXCESS) -> Space:
    """The Space of a kernel with a root; `excess` is the share of work that its tiles may repeat.

    Searches for fewer columns, and repeated ones, get the same model, so the needs of a tile are computed once.
    """
    parts = tuple(tuple(op.attributes[REDUCE]) if REDUCE in op.attributes else () for op in kernel.ops)
    spaces: list[Space] = kernel.memo.setdefault((excess, parts, is_alone(kernel.function)), [])
    same_tiles = [item for item in spaces if item.device.tiles is device.tiles]
    result = next((item for item in same_tiles if item.device == device), None)
    if result is None:
        result = replace(same_tiles[0], device=device, searches={}) if same_tiles else _space(kernel, device, excess)
        spaces.append(result)
    return result


def _space(kernel: Kernel, device: Device, excess: float) -> Space:
    assert kernel.root is not None
    model, dimensions = Model(kernel, core_of(device.arch)), Dimensions(kernel)

    def tensors(values: Iterable[ir.Value]) -> tuple[Tensor, ...]:
        ranked = [v for v in values if v in model.number]
        return tuple(Tensor(model.number[v], bits_of(v), tuple(dimensions.of(v)), tuple(v.type.shape)) for v in ranked)

    returned = kernel.returned
    ops = [op for op in (*kernel.ops, *kernel.movements) if op.name != "linalg.fill"]
    inside = [r for op in ops for r in op.results if r not in returned]
    loops = tuple(dimensions.loops(kernel.root))
    repeated = dimensions.repeated
    rigid = tuple(dimensions.all[d].rigid or d in repeated for d in loops)
    extents, independent = tuple(loop_extents(kernel.root)), tuple(model.tileable(excess))
    heads = [op for op in kernel.movements if is_argument_slice(op)]
    sliced = {op.operands[0] for op in heads if all(use.owner in heads for use in op.operands[0].uses)}
    incoming = [*(a for a in kernel.block.arguments if a not in sliced), *(op.results[0] for op in heads)]
    inside = [v for v in inside if v not in incoming]
    used = {dimensions.loops(op)[loop] for op in kernel.ops for loop in indexed(op)}
    parts = tensors(incoming), tensors(returned), tensors(inside)
    arguments = frozenset(model.number[a] for a in kernel.block.arguments if a in model.number)
    recomputing = tuple(dimensions.all[d].reduced or d in repeated for d in loops)
    return Space(
        kernel,
        model,
        device,
        loops,
        rigid,
        extents,
        independent,
        *parts,
        frozenset(used),
        recomputing,
        arguments,
        is_alone(kernel.function),
    )


def bytes_of(value: ir.Value, sizes: Sequence[int]) -> int:
    return prod(sizes) * max(bits_of(value), 8) // 8


def bits_of(value: ir.Value) -> int:
    """Bits of an element of a tensor."""
    bits = element_bits(value.type)
    assert bits is not None
    return bits
