"""The cores that compute a token's products and attention, in all columns but the last one.

Each column's shim channel brings weights of products, and keys and values of attention, to a memtile, which divides each chunk
among the column's cores. The row that a product multiplies comes over one more channel to all cores. All cores run through the
steps of a token in the same order, so no step waits for a command, and memtiles fill with the weights of a product before its
row is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.device import DEVICES
from allo_air.llm.cached_attention import ATTEND_BYTES, GIVE_STATE, CachedAttention
from allo_air.llm.streaming import Arrangement

_BUFFERS = 3
"""Chunks that a memtile holds for each of its cores: with four cores, the descriptors of its first channel do not suffice for
more.
"""
SUMS_AT_ONCE = 16
"""Floats that a core gives at a time."""
ATTEND = "attend"


@dataclass(frozen=True)
class Phase:
    """A product of `parts` parts of a row and `blocks` blocks of rows of weights, or attention (`parts` is 0)."""

    parts: int = 0
    blocks: int = 0


@dataclass(frozen=True)
class TokenCores:
    """The cores, which compute the phases `each` for each of `layers` layers, then those of `last`."""

    order: Arrangement
    attend: CachedAttention
    layers: int
    each: tuple[Phase, ...]
    last: tuple[Phase, ...]

    def text(self) -> str:
        """The tiles, flows and cores, as text inside of a device."""
        wide, high = self.order.grid
        rows = DEVICES[self.order.device].core_rows
        lines = [_declarations(self.order, self.attend)]
        lines += [f"%shim{c} = aie.tile({c}, 0)\n%l2_{c} = aie.tile({c}, 1)" for c in range(wide)]
        for c in range(wide):
            lines += [self._memtile(c)]
            for k in range(high):
                lines += [f"%core{c}_{k} = aie.tile({c}, {rows[k]})", self._core(c, k)]
            lines += [
                f"aie.flow(%shim{c}, DMA : 0, %l2_{c}, DMA : 0)\naie.flow(%l2_{c}, DMA : {high + 1}, %shim{c}, DMA : 0)",
                f"aie.shim_dma_allocation @weights{c}(%shim{c}, MM2S, 0)\naie.shim_dma_allocation @sums{c}(%shim{c}, S2MM, 0)",
            ]
        source = wide // 2
        lines += [f"aie.flow(%shim{source}, DMA : 1, %core{c}_{k}, DMA : 1)" for c in range(wide) for k in range(high)]
        return "\n".join([*lines, f"aie.shim_dma_allocation @row(%shim{source}, MM2S, 1)"])

    def _memtile(self, c: int) -> str:
        high, size = self.order.grid[1], self.attend.bytes
        chunks, sums, lines = f"memref<{high * size}xi8>", f"memref<{high * SUMS_AT_ONCE}xf32>", list[str]()
        for k in range(high):
            for number, (name, free) in enumerate((("w", _BUFFERS), ("s", 2))):
                for n, (state, count) in enumerate((("free", free), ("full", 0))):
                    place = 4 * k + 2 * number + n
                    lines.append(f"%{name}_{state}{c}_{k} = aie.lock(%l2_{c}, {place}) {{init = {count} : i32}}")
        lines += [f'%w{c}_{b} = aie.buffer(%l2_{c}) {{sym_name = "chunks{c}_{b}"}} : {chunks}' for b in range(_BUFFERS)]
        lines += [f'%s{c}_{b} = aie.buffer(%l2_{c}) {{sym_name = "results{c}_{b}"}} : {sums}' for b in range(2)]

        def part(name: str, b: int, k: int, fills: bool) -> tuple[str, str, str]:
            kind, length = (chunks, size) if name == "w" else (sums, SUMS_AT_ONCE)
            place = f"%{name}{c}_{b} : {kind} offset = {k * length} len = {length}"
            locks = f"%{name}_free{c}_{k}", f"%{name}_full{c}_{k}"
            return (place, *(locks if fills else locks[::-1]))

        channels = [("S2MM", 0, [part("w", b, k, True) for b in range(_BUFFERS) for k in range(high)])]
        channels += [("MM2S", k, [part("w", b, k, False) for b in range(_BUFFERS)]) for k in range(high)]
        channels += [("S2MM", 1 + k, [part("s", b, k, True) for b in range(2)]) for k in range(high)]
        channels += [("MM2S", high + 1, [part("s", b, k, False) for b in range(2) for k in range(high)])]
        lines += [f"%dma{c} = aie.memtile_dma(%l2_{c}) {{\n{_rings(channels)}\n}}"]
        return "\n".join(lines)

    def _core(self, c: int, k: int) -> str:
        name, order, state = f"{c}_{k}", self.order, self.attend.state[1]
        kinds = {"w": f"{self.attend.bytes}xi8", "x": f"{order.row_bytes}xi8", "y": f"{SUMS_AT_ONCE}xf32", "t": f"{state}xf32"}
        held = {"w": 2, "x": 1, "y": 1}
        lines, channels = list[str](), []
        for number, (n, count) in enumerate(held.items()):
            lines.append(f"%{n}_free{name}c = aie.lock(%core{name}, {2 * number}) {{init = {count} : i32}}")
            lines.append(f"%{n}_full{name}c = aie.lock(%core{name}, {2 * number + 1}) {{init = 0 : i32}}")
            buffers = [f"%{n}{b}_{name}c" for b in range(count)]
            kind = f"memref<{kinds[n]}>"
            lines += [f'{v} = aie.buffer(%core{name}) {{sym_name = "{v[1:]}"}} : {kind}' for v in buffers]
            locks = (f"%{n}_full{name}c", f"%{n}_free{name}c") if n == "y" else (f"%{n}_free{name}c", f"%{n}_full{name}c")
            ring = [(f"{v} : {kind} offset = 0 len = {kinds[n].split('x')[0]}", *locks) for v in buffers]
            channels.append(("MM2S" if n == "y" else "S2MM", int(n == "x"), ring))
            lines += [
                f"aie.flow(%l2_{c}, DMA : {k}, %core{name}, DMA : 0)" if n == "w" else "",
                f"aie.flow(%core{name}, DMA : 0, %l2_{c}, DMA : {k + 1})" if n == "y" else "",
            ]
        lines.append(f'%t{name}c = aie.buffer(%core{name}) {{sym_name = "state{name}"}} : memref<{kinds["t"]}>')
        lines.append(f"%mem{name} = aie.mem(%core{name}) {{\n{_rings(channels)}\n}}")
        program = _Program(
            self.order, self.attend, name, self.attend.launches_of(c), {n: f"memref<{t}>" for n, t in kinds.items()}
        )
        return "\n".join([*filter(None, lines), program.text(self.layers, self.each, self.last)])


def _declarations(order: Arrangement, attend: CachedAttention) -> str:
    w, x, y, t = (f"memref<{n}>" for n in _kinds(order, attend))
    files = order.file.replace(".cc", ".o"), "attend.o"
    return "\n".join(
        (
            f'func.func private @{order.name}({w}, {x}, {y}) attributes {{link_with = "{files[0]}"}}',
            f'func.func private @{ATTEND_BYTES}(i32, {w}, {t}) attributes {{link_with = "{files[1]}"}}',
            f'func.func private @{GIVE_STATE}(i32, {t}, {y}) attributes {{link_with = "{files[1]}"}}',
        )
    )


def _kinds(order: Arrangement, attend: CachedAttention) -> tuple[str, ...]:
    return f"{attend.bytes}xi8", f"{order.row_bytes}xi8", f"{SUMS_AT_ONCE}xf32", f"{attend.state[1]}xf32"


def _rings(channels: Sequence[tuple[str, int, list[tuple[str, str, str]]]]) -> str:
    """Channels of a DMA, each with a ring of descriptors: the moved data, the acquired lock, and the released lock."""
    lines, block = ["%one = arith.constant 1 : i32"], 0
    for number, (direction, channel, ring) in enumerate(channels):
        behind = block + len(ring) + 1
        lines.append(f"%start{number} = aie.dma_start({direction}, {channel}, ^bb{block + 1}, ^bb{behind})")
        for n, (moved, acquired, released) in enumerate(ring):
            lines += [
                f"^bb{block + 1 + n}:",
                f"aie.use_lock({acquired}, AcquireGreaterEqual, %one)",
                f"aie.dma_bd({moved})",
                f"aie.use_lock({released}, Release, %one)",
                f"aie.next_bd ^bb{block + 1 + (n + 1) % len(ring)}",
            ]
        lines.append(f"^bb{behind}:")
        block = behind
    return "\n".join([*lines, "aie.end"])


@dataclass
class _Program:
    """The program of a core. Chunks arrive in two buffers in turn: values that all loops carry."""

    order: Arrangement
    attend: CachedAttention
    name: str
    launches: int
    kinds: dict[str, str]
    count: int = 0

    def text(self, layers: int, each: Sequence[Phase], last: Sequence[Phase]) -> str:
        w, name = self.kinds["w"], self.name
        inside, buffers = self._phases(each, ("%a", "%b"))
        lines = [*self._loop(layers, ("%now", "%then"), ("%a", "%b"), inside, buffers, "%layer")]
        behind, ends = self._phases(last, ("%layer#0", "%layer#1"))
        numbers = {0, 1, layers, self.attend.chunks + 1, self.attend.vectors, self.launches}
        numbers |= {n for p in (*each, *last) for n in (p.parts, p.blocks)}
        start = [f"%c{n} = arith.constant {n} : index" for n in sorted(numbers)]
        start += [
            "%one = arith.constant 1 : i32",
            f"cf.br ^bb1(%w0_{name}c, %w1_{name}c : {w}, {w})",
            f"^bb1(%now: {w}, %then: {w}):",
        ]
        end = [f"cf.br ^bb1({ends[0]}, {ends[1]} : {w}, {w})"]
        body = "\n".join([*start, *lines, *behind, *end])
        return f'%code{name} = aie.core(%core{name}) {{\n{body}\n}} {{link_with = "token.o"}}'

    def _phases(self, phases: Sequence[Phase], buffers: tuple[str, str]) -> tuple[list[str], tuple[str, str]]:
        lines = list[str]()
        for phase in phases:
            more, buffers = self._product(phase, buffers) if phase.parts else self._attention(buffers)
            lines += more
        return lines, buffers

    def _loop(
        self, times: int, buffers: tuple[str, str], inner: tuple[str, str], body: list[str], ends: tuple[str, str], name: str
    ) -> list[str]:
        w = self.kinds["w"]
        carried = f"iter_args({inner[0]} = {buffers[0]}, {inner[1]} = {buffers[1]}) -> ({w}, {w})"
        return [
            f"{name}:2 = scf.for {name}_i = %c0 to %c{times} step %c1 {carried} {{",
            *body,
            f"scf.yield {ends[0]}, {ends[1]} : {w}, {w}",
            "}",
        ]

    def _names(self) -> tuple[str, tuple[str, str], tuple[str, str]]:
        self.count += 1
        name = f"%r{self.count}"
        return name, (f"{name}a", f"{name}b"), (f"{name}#0", f"{name}#1")

    def _lock(self, buffer: str, state: str) -> str:
        action = "AcquireGreaterEqual" if state.endswith("?") else "Release"
        return f"aie.use_lock(%{buffer}_{state.rstrip('?')}{self.name}c, {action}, %one)"

    def _product(self, phase: Phase, buffers: tuple[str, str]) -> tuple[list[str], tuple[str, str]]:
        kinds = ", ".join(self.kinds[n] for n in "wxy")
        (part, part_buffers, part_ends), (block, block_buffers, block_ends) = self._names(), self._names()
        body = [
            self._lock("w", "full?"),
            self._lock("y", "free?"),
            f"func.call @{self.order.name}({block_buffers[0]}, %x0_{self.name}c, %y0_{self.name}c) : ({kinds}) -> ()",
            self._lock("w", "free"),
            self._lock("y", "full"),
        ]
        inside = self._loop(phase.blocks, part_buffers, block_buffers, body, block_buffers[::-1], block)
        row = [self._lock("x", "full?"), *inside, self._lock("x", "free")]
        return self._loop(phase.parts, buffers, part_buffers, row, block_ends, part), part_ends

    def _attention(self, buffers: tuple[str, str]) -> tuple[list[str], tuple[str, str]]:
        if not self.launches:
            return [], buffers
        kinds, name = self.kinds, self.name
        (launch, launch_buffers, launch_ends), (chunk, chunk_buffers, chunk_ends) = self._names(), self._names()
        body = [
            self._lock("w", "full?"),
            f"{chunk}_n = arith.index_cast {chunk}_i : index to i32",
            f"func.call @{ATTEND_BYTES}({chunk}_n, {chunk_buffers[0]}, %t{name}c) : (i32, {kinds['w']}, {kinds['t']}) -> ()",
            self._lock("w", "free"),
        ]
        lines = self._loop(self.attend.chunks + 1, launch_buffers, chunk_buffers, body, chunk_buffers[::-1], chunk)
        lines += [
            f"scf.for {launch}_j = %c0 to %c{self.attend.vectors} step %c1 {{",
            self._lock("y", "free?"),
            f"{launch}_n = arith.index_cast {launch}_j : index to i32",
            f"func.call @{GIVE_STATE}({launch}_n, %t{name}c, %y0_{name}c) : (i32, {kinds['t']}, {kinds['y']}) -> ()",
            self._lock("y", "full"),
            "}",
        ]
        return self._loop(self.launches, buffers, launch_buffers, lines, chunk_ends, launch), launch_ends
