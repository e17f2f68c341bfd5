"""Input of the core's tool chain: linker script, BCF and command lines of Peano (docs/sources.md#packaging)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate, Device
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.target.configuration.memory import PlacedBuffer, buffers_of

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import CoreOp
    from allo_air.mlir import AnyOp

_WINDOWS = {"AIE1": (0x20000, 0x8000), "AIE2": (0x40000, 0x10000), "AIE2p": (0x40000, 0x10000)}
"""The start of a core's data memories and the size of each, by architecture."""

_TEXT = (
    "/* the __start symbol has to come at address zero. */", "*crt0.o(.text*)", "_ctors_start = .;", "_init_array_start = .;",
    "KEEP(SORT(*.init_array))", "_ctors_end = .;", "_init_array_end = .;", "_dtors_start = .;", "_dtors_end = .;", "*(.text*)",
)  # fmt: skip
_ORPHANS = (".comment", ".symtab", ".shstrtab", ".strtab", ".stack_sizes")
_SIDES = {"south": (0, -1), "west": (-1, 0), "north": (0, 1), "east": (1, 0)}


def core_of(device_op: AnyOp, tile: Coordinate) -> Any:
    """The `aie.core` of a tile, else DiagnosticError."""
    for op in declarations(device_op, "aie.core"):
        if place_of(op, op.tile) == tile:
            return op
    raise error_at(device_op, f"has no aie.core on tile {tile}")


def _own_side(device: Device, tile: Coordinate) -> str:
    """The side on which a core sees its own memory."""
    return "west" if arch_of(device).mirrored_rows and tile[1] % 2 == 0 else "east"


def _memories_around(device: Device, tile: Coordinate) -> Iterator[tuple[str, int, Coordinate | None]]:
    """The memories that a core can access: side, base address, and the tile that owns it, or None."""
    first, window = _WINDOWS[device.arch]
    own = _own_side(device, tile)
    for number, (side, (dx, dy)) in enumerate(_SIDES.items()):
        owner = tile if side == own else (tile[0] + dx, tile[1] + dy)
        exists = device.holds(*owner) and device.kind(*owner) == "core"
        yield side, first + number * window, owner if exists else None


def _core_base(device: Device, tile: Coordinate) -> int:
    """The base address of a core's own memory."""
    return next(base for _, base, owner in _memories_around(device, tile) if owner == tile)


def _largest_gap(stack: int, buffers: list[PlacedBuffer], window: int) -> tuple[int, int]:
    """The largest gap of the own memory between the stack and buffers: start and end."""
    gaps, end = [], stack
    for _, address, size in buffers:
        gaps.append((end, address))
        end = max(end, address + size)
    gaps.append((end, window))
    return max(gaps, key=lambda g: (g[1] - g[0], -g[0]))


def _hex(number: int) -> str:
    return f"0x{number:X}"


def linker_script(device_op: AnyOp, tile: Coordinate) -> str:
    """The linker script of a core: every buffer that it can access is a symbol, and its own data is in the largest gap of its
    memory. The program region has 0x20000 bytes; the core has less, which the loader checks.
    """
    core, device = core_of(device_op, tile), device_of(device_op)
    window, own = _WINDOWS[device.arch][1], _core_base(device, tile)
    start, end = _largest_gap(core.stack_size, buffers_of(device_op, tile), window)
    lines = [
        f"/* Tile({tile[0]}, {tile[1]}) */", "MEMORY", "{", "   program (RX) : ORIGIN = 0, LENGTH = 0x0020000",
        f"   data (!RX) : ORIGIN = {_hex(own + start)}, LENGTH = {_hex(end - start)}", "}", "ENTRY(__start)", "SECTIONS", "{",
        ". = 0x0;", ".text : {", *(f"   {line}" for line in _TEXT), "} > program",
        ".data : {", "   *(.data*);", "   *(.rodata*)", "} > data",
        *(f"{name} 0 : {{ *({name}) }}" for name in _ORPHANS),
        f". = {_hex(own)};", "_sp_start_value_DM_stack = .;", f". += {_hex(core.stack_size)}; /* stack */",
    ]  # fmt: skip
    for side, base, owner in _memories_around(device, tile):
        if owner is None:
            lines += [f"/* No tile with memory exists to the {side}. */", f". = {_hex(base)};", f". += {_hex(window)};"]
            continue
        for buffer, address, size in buffers_of(device_op, owner):
            lines += [f". = {_hex(base + address)};", f"{buffer} = .;", f". += {_hex(size)};"]
    lines += [".bss : { *(.bss*) } > data", "}", *(f"INPUT({file})" for file in link_files(core))]
    return "\n".join([*lines, f"PROVIDE(main = core_{tile[0]}_{tile[1]});", ""])


def bcf(device_op: AnyOp, tile: Coordinate) -> str:
    """The memory map of a core for xbridge."""
    core, device = core_of(device_op, tile), device_of(device_op)
    function = f"core_{tile[0]}_{tile[1]}"
    first, window = _WINDOWS[device.arch]
    lines = [
        "_entry_point _main_init", f"_symbol {function} _after _main_init", "_symbol      _main_init 0",
        f"_reserved DMb      0x00000 {_hex(first)} //Don't put data in code memory",
        f"_stack    DM_stack {_hex(_core_base(device, tile))}  {_hex(core.stack_size)} //stack for core",
    ]  # fmt: skip
    for side, base, owner in _memories_around(device, tile):
        buffers = [] if owner is None else buffers_of(device_op, owner)
        if owner is None:
            lines.append(f"// No tile with memory exists to the {side}.")
        if not buffers and owner != tile:
            lines.append(f"_reserved DMb {_hex(base)} {_hex(window)} // Don't allocate variables outside of local memory.")
        for buffer, address, size in buffers:
            place = _hex(base + address)
            lines += [f"_symbol {buffer} {place} {_hex(size)}", f"_extern {buffer}", f"_reserved DMb {place} {_hex(size)}"]
    end = first + 4 * window
    lines += [
        f"_reserved DMb {_hex(end)} {_hex(0x100000 - end)} // And everything else the core can't see",
        *(f"_include _file {file}" for file in link_files(core)),
    ]
    return "\n".join([*lines, f"_resolve _main {function}", ""])


def memory_map(device_op: AnyOp) -> str:
    """The buffers that each core can access, by tile: name, address, bytes."""
    device, lines = device_of(device_op), []
    tiles = sorted({place_of(t, t.tile) for t in declarations(device_op, "aie.tile")})
    for tile in tiles:
        if device.kind(*tile) != "core":
            continue
        lines += [f"// Tile({tile[0]}, {tile[1]})", "// Memory map: name base_address num_bytes"]
        for _, base, owner in _memories_around(device, tile):
            for buffer, address, size in [] if owner is None else buffers_of(device_op, owner):
                lines.append(f"_symbol {buffer} {_hex(base + address)} {size}")
    return "\n".join([*lines, ""])


def core_list(device_op: AnyOp) -> str:
    """The cores as a list in Python, in the order of their tiles: column, row, and the ELF file or None."""
    cores = {place_of(core, core.tile): core for core in declarations(device_op, "aie.core")}
    places = dict.fromkeys(place_of(tile, tile.tile) for tile in declarations(device_op, "aie.tile"))
    entries = []
    for place in places:
        if (core := cores.get(place)) is not None:
            file = f'"{core.elf_file}"' if core.elf_file else "None"
            entries.append(f"({place[0]},{place[1]},{file}),")
    return f"[{''.join(entries)}]\n"


def link_files(core: CoreOp) -> list[str]:
    """The files that a core is linked with."""
    attributes = core.operation.attributes
    if "link_files" in attributes:
        return [file.value for file in attributes["link_files"]]
    return [core.link_with] if core.link_with else []


def peano_commands(device: Device, tile: Coordinate, peano: str, folder: Path, level: int = 2) -> list[list[str]]:
    """The command lines that make a core's ELF from its LLVM IR, `core_C_R.ll` in `folder`, with its linker script.

    They are mlir-aie's, with an additional option for the sizes of stack frames, which the check of the ELF reads.
    """
    target = {"AIE2": "aie2", "AIE2p": "aie2p"}[device.arch]
    stem = folder / f"core_{tile[0]}_{tile[1]}"
    names = {kind: f"{stem}.{kind}" for kind in ("ll", "opt.ll", "o", "ld.script", "elf")}
    idioms = ["-disable-loop-idiom-memset"] if level >= 3 else []
    return [
        [f"{peano}/bin/opt", *idioms, f"--passes=default<O{min(1, level)}>", "-inline-threshold=10", "-S", names["ll"], "-o",
         names["opt.ll"]],
        [f"{peano}/bin/llc", names["opt.ll"], f"-O{level}", f"--march={target}", "--function-sections",
         "--stack-size-section", "--filetype=obj", "-o", names["o"]],
        [f"{peano}/bin/clang", f"-O{level}", f"--target={target}-none-unknown-elf", f"-fuse-ld={peano}/bin/ld.lld", names["o"],
         "-Wl,--gc-sections", "-Wl,--orphan-handling=error", f"-Wl,-T,{Path(names['ld.script']).absolute()}",
         "-o", names["elf"]],
    ]  # fmt: skip
