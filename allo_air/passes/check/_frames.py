"""Checks that the stack frames of a core and of the functions it calls fit its stack.

Frames that a compiler adds (spilled registers) are not in the IR. Linked objects with a `.stack_sizes` section are counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path
from typing import Any

from allo_air.core.diagnostics import position
from allo_air.core.names import callee_of
from allo_air.core.walking import constant_of, walk_named
from allo_air.dialects.aie import BufferOp, CoreOp
from allo_air.dialects.declarations import functions_for
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.findings import Findings, Note
from allo_air.passes.check._stack_sizes import stack_sizes
from allo_air.passes.check._tiles import DeviceUse, TileUse

_ALLOCAS = ("memref.alloca", "llvm.alloca")
Frames = tuple[int, list[Note]]
"""The size of stack frames in bytes, and notes on the operations that need them."""


def check_frames(use: DeviceUse, findings: Findings) -> None:
    """Reports cores whose frames, along the deepest chain of calls, are larger than their stack."""
    functions = functions_for(use.op)
    for tile in use:
        if tile.core is not None:
            _check(use, tile, functions, findings)


def _check(use: DeviceUse, tile: TileUse, functions: Mapping[str, AnyOp], findings: Findings) -> None:
    core = CoreOp(tile.core)
    needed, notes = _Chain(tile.core, functions, findings).deepest(tile.core, ())
    if needed <= core.stack_size:
        return
    into = _reached(tile, core.stack_size, needed)
    reach_text = f", and reach into {into}" if into else ""
    message = f"{use.name(tile.place)}: frames of {needed:,} bytes exceed its stack of {core.stack_size:,}{reach_text}"
    findings.error(
        notes[0][0] if notes else tile.core,
        f"{message}; give the core stack_size = {-(-needed // 32) * 32} or more, or keep the array in an aie.buffer",
        *notes[1:],
        (tile.core, "has this stack"),
        code="memory.stack",
    )


def _reached(tile: TileUse, stack: int, needed: int) -> str:
    """The buffers whose addresses are inside frames of `needed` bytes, as text."""
    inside = [
        BufferOp(b) for b in tile.buffers if BufferOp(b).address is not None and stack <= (BufferOp(b).address or 0) < needed
    ]
    return ", ".join(f"@{b.sym_name}" if b.sym_name else f"the buffer at {b.address}" for b in inside)


class _Chain:
    """The calls of one core's code."""

    def __init__(self, core: AnyOp, functions: Mapping[str, AnyOp], findings: Findings) -> None:
        self.functions, self.findings = functions, findings
        self.objects = _sizes_of(core, functions)

    def deepest(self, code: AnyOp, callers: tuple[str, ...]) -> Frames:
        """The frame of `code` with the deepest chain of calls below it."""
        notes: list[Note] = []
        own = 0
        seen_here: set[Any] = set()
        for op in walk_named(code, *_ALLOCAS):
            key = position(op.location), op.results[0].type
            if key[0][1] and key in seen_here:  # copies of an allocation in an unrolled loop may share memory
                continue
            seen_here.add(key)
            if (size := _bytes(op)) is None:
                self.findings.undecided(op, "how much of the stack it takes: its size is not a constant")
                continue
            own += size
            notes.append((op, f"{size:,} bytes"))
        notes.sort(key=lambda note: -int(note[1].split()[0].replace(",", "")))
        below: Frames = (0, [])
        for call in walk_named(code, "func.call"):
            name = callee_of(call)
            if name in callers:
                self.findings.undecided(call, f"how deep @{name} calls itself")
                continue
            below = max(below, self._called(call, name, callers), key=lambda item: item[0])
        return own + below[0], notes + below[1]

    def _called(self, call: AnyOp, name: str, callers: tuple[str, ...]) -> Frames:
        function = self.functions.get(name)
        if function is not None and function.regions[0].blocks:
            size, notes = self.deepest(function, (*callers, name))
            return size, [*notes, (call, f"calls @{name}, whose frames are {size:,} bytes")] if size else []
        size = self.objects.get(name, 0)
        return size, [(call, f"calls @{name}, whose frame is {size:,} bytes (.stack_sizes of its object)")] if size else []


def _bytes(op: AnyOp) -> int | None:
    """The size of an allocation in bytes; None if it is not constant or the element type has no known width."""
    if op.name == "memref.alloca":
        kind = op.results[0].type
        bits = element_bits(kind, index=32)
        return prod(kind.shape) * -(-bits // 8) if bits is not None and kind.has_static_shape else None
    count = constant_of(op.operands[0])
    bits = ir.IntegerType(op.attributes["elem_type"].value).width if _is_integer(op) else None
    return None if count is None or bits is None else count * -(-bits // 8)


def _is_integer(op: AnyOp) -> bool:
    return isinstance(op.attributes["elem_type"].value, ir.IntegerType)


def _sizes_of(core: AnyOp, functions: Mapping[str, AnyOp]) -> dict[str, int]:
    """The frames of functions in the objects that a core links."""
    sizes: dict[str, int] = {}
    for path in _linked(core, functions):
        sizes |= stack_sizes(path)
    return sizes


def _linked(core: AnyOp, functions: Mapping[str, AnyOp]) -> Iterator[Path]:
    """The objects that a core or its functions are linked with, next to the source file or in the working directory."""
    folder = Path(position(core.location)[0]).parent
    names = [core.attributes["link_with"].value] if "link_with" in core.attributes else []
    if "link_files" in core.attributes:
        names += [str(name.value) for name in core.attributes["link_files"]]
    names += [f.attributes["link_with"].value for f in functions.values() if "link_with" in f.attributes]
    for name in dict.fromkeys(names):
        yield from dict.fromkeys(p for p in (folder / name, Path(name)) if p.is_file())
