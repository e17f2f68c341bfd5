"""What the core's tool chain is told: linker script, BCF and command lines of Peano (docs/sources.md#packaging)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate, Device
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.target.configuration.memory import Held, buffers_of

_WINDOW = 0x10000
_NEIGHBOURS = (("south", 0x40000, 0, -1), ("west", 0x50000, -1, 0), ("north", 0x60000, 0, 1), ("own", 0x70000, 0, 0))
"""Memories that a core sees, and where."""

_OWN = 0x70000
_PROGRAM = 0x20000
"""The length of the program region; the core has less, which the loader checks."""

_TEXT = (
    "*crt0.o(.text*)", "_ctors_start = .;", "_init_array_start = .;", "KEEP(SORT(*.init_array))", "_ctors_end = .;",
    "_init_array_end = .;", "_dtors_start = .;", "_dtors_end = .;", "*(.text*)",
)  # fmt: skip
_ORPHANS = (".comment", ".symtab", ".shstrtab", ".strtab", ".stack_sizes")


def core_of(device_op: Any, tile: Coordinate) -> Any:
    """The `aie.core` of a tile; DiagnosticError where there is none."""
    for op in declarations(device_op, "aie.core"):
        if place_of(op, op.tile) == tile:
            return op
    raise error_at(device_op, f"has no aie.core on tile {tile}")


def _seen(device: Device, tile: Coordinate) -> Iterator[tuple[str, int, Coordinate | None]]:
    """The memories around a core: their name, their base, and whose they are (None: nobody's)."""
    for name, base, dx, dy in _NEIGHBOURS:
        owner = tile[0] + dx, tile[1] + dy
        exists = device.holds(*owner) and device.kind(*owner) == "core"
        yield name, base, owner if exists else None


def _room(stack: int, buffers: list[Held]) -> tuple[int, int]:
    """The largest gap of the own memory between the stack and buffers: start and end."""
    gaps, at = [], stack
    for _, address, size in buffers:
        gaps.append((at, address))
        at = max(at, address + size)
    gaps.append((at, _WINDOW))
    return max(gaps, key=lambda g: (g[1] - g[0], -g[0]))


def linker_script(device_op: Any, tile: Coordinate) -> str:
    """The linker script of a core: every buffer that it sees is a symbol, its own data lie in the largest gap of its memory."""
    core, device = core_of(device_op, tile), device_of(device_op)
    start, end = _room(core.stack_size, buffers_of(device_op, tile))
    lines = [
        "MEMORY", "{", f"  program (RX) : ORIGIN = 0, LENGTH = {_PROGRAM:#x}",
        f"  data (!RX) : ORIGIN = {_OWN + start:#x}, LENGTH = {end - start:#x}", "}", "ENTRY(__start)", "SECTIONS", "{",
        "  . = 0x0;", "  .text : {", *(f"    {line}" for line in _TEXT), "  } > program",
        "  .data : { *(.data*) *(.rodata*) } > data",
        *(f"  {name} 0 : {{ *({name}) }}" for name in _ORPHANS),
        f"  . = {_OWN:#x};", "  _sp_start_value_DM_stack = .;", f"  . += {core.stack_size:#x};",
    ]  # fmt: skip
    for name, base, owner in _seen(device, tile):
        if owner is None:
            lines += [f"  /* no memory {name} */", f"  . = {base:#x};", f"  . += {_WINDOW:#x};"]
            continue
        for buffer, address, size in buffers_of(device_op, owner):
            lines += [f"  . = {base + address:#x};", f"  {buffer} = .;", f"  . += {size:#x};"]
    lines += ["  .bss : { *(.bss*) } > data", "}", *(f"INPUT({file})" for file in link_files(core))]
    return "\n".join([*lines, f"PROVIDE(main = core_{tile[0]}_{tile[1]});", ""])


def bcf(device_op: Any, tile: Coordinate) -> str:
    """The same for xbridge: the memory map of a core."""
    core, device = core_of(device_op, tile), device_of(device_op)
    function = f"core_{tile[0]}_{tile[1]}"
    lines = [
        "_entry_point _main_init", f"_symbol {function} _after _main_init", "_symbol _main_init 0",
        "_reserved DMb 0x00000 0x40000", f"_stack DM_stack {_OWN:#x} {core.stack_size:#x}",
    ]  # fmt: skip
    for name, base, owner in _seen(device, tile):
        found = [] if owner is None else buffers_of(device_op, owner)
        if not found and name != "own":
            lines.append(f"_reserved DMb {base:#x} {_WINDOW:#x}")
        for buffer, address, size in found:
            at = f"{base + address:#x}"
            lines += [f"_symbol {buffer} {at} {size:#x}", f"_extern {buffer}", f"_reserved DMb {at} {size:#x}"]
    lines += ["_reserved DMb 0x80000 0x80000", *(f"_include _file {file}" for file in link_files(core))]
    return "\n".join([*lines, f"_resolve _main {function}", ""])


def link_files(core: Any) -> list[str]:
    """What a core is linked with."""
    attributes = core.operation.attributes
    if "link_files" in attributes:
        return [file.value for file in attributes["link_files"]]
    return [core.link_with] if core.link_with else []


def peano_commands(device: Device, tile: Coordinate, peano: str, folder: Path, level: int = 2) -> list[list[str]]:
    """The command lines that make a core's ELF from its LLVM IR, `core_C_R.ll` in `folder`, with its linker script.

    They are mlir-aie's, and ask for the sizes of stack frames as well, which the check of the ELF reads.
    """
    target = {"AIE2": "aie2", "AIE2p": "aie2p"}[device.arch]
    stem = folder / f"core_{tile[0]}_{tile[1]}"
    name = {kind: f"{stem}.{kind}" for kind in ("ll", "opt.ll", "o", "ld.script", "elf")}
    idioms = ["-disable-loop-idiom-memset"] if level >= 3 else []
    return [
        [f"{peano}/bin/opt", *idioms, f"--passes=default<O{min(1, level)}>", "-inline-threshold=10", "-S", name["ll"], "-o",
         name["opt.ll"]],
        [f"{peano}/bin/llc", name["opt.ll"], f"-O{level}", f"--march={target}", "--function-sections",
         "--stack-size-section", "--filetype=obj", "-o", name["o"]],
        [f"{peano}/bin/clang", f"-O{level}", f"--target={target}-none-unknown-elf", f"-fuse-ld={peano}/bin/ld.lld", name["o"],
         "-Wl,--gc-sections", "-Wl,--orphan-handling=error", f"-Wl,-T,{Path(name['ld.script']).absolute()}", "-o", name["elf"]],
    ]  # fmt: skip
