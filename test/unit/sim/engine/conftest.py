"""Hand-made configurations for the engine: BD words, instruction words, and cores that run a list of symbol calls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from allo_air.arch import ARCHITECTURES
from allo_air.core.contexts import reused_context
from allo_air.mlir import execution_engine, ir
from allo_air.sim import _engine

S2MM, MM2S = 0, 1
_KEEP: list[Any] = []  # compiled programs live as long as the tests


def _lock_word(acquire: tuple[int, int] | None, release: tuple[int, int] | None, following: int | None) -> int:
    word = 1 << 25
    if acquire:
        word |= 1 << 12 | (acquire[1] & 127) << 5 | acquire[0]
    if release:
        word |= (release[1] & 127) << 18 | release[0] << 13
    return word if following is None else word | 1 << 26 | following << 27


def core_bd(
    length: int, base: int = 0, dims: Any = ((0, 1), (0, 1)), d2: int = 1,
    acquire: Any = None, release: Any = None, following: Any = None,
    packet: int | None = None, iteration: tuple[int, int] = (1, 1),
) -> list[int]:  # fmt: skip
    """Six words; base in bytes, dims (wrap, step), locks (id, value)."""
    (w0, s0), (w1, s1) = dims
    header = 0 if packet is None else 1 << 30 | packet << 19
    steps = (s1 - 1) << 13 | (s0 - 1)
    iterate = (iteration[0] - 1) << 13 | (iteration[1] - 1)
    return [
        base // 4 << 14 | length,
        header,
        steps,
        w1 << 21 | w0 << 13 | (d2 - 1),
        iterate,
        _lock_word(acquire, release, following),
    ]


def mem_bd(
    length: int, base: int = 0x80000, dims: Any = ((0, 1), (0, 1), (0, 1)), d3: int = 1, pad: Any = ((0, 0), (0, 0), (0, 0)),
    acquire: Any = None, release: Any = None,
    following: int | None = None, packet: int | None = None, iteration: tuple[int, int] = (1, 1),
) -> list[int]:  # fmt: skip
    """Eight words; base in bytes (0x80000 is the own tile), lock ids as the memtile sees them (64 is the own lock 0)."""
    (w0, s0), (w1, s1), (w2, s2) = dims
    (b0, a0), (b1, a1), (b2, a2) = pad
    chain = 0 if following is None else following << 20 | 1 << 19
    locks = 1 << 31
    if acquire:
        locks |= 1 << 15 | (acquire[1] & 127) << 8 | acquire[0]
    if release:
        locks |= (release[1] & 127) << 24 | release[0] << 16
    return [
        length | (0 if packet is None else 1 << 31 | packet << 23),
        b0 << 26 | chain | base // 4,
        w0 << 17 | (s0 - 1),
        b1 << 27 | w1 << 17 | (s1 - 1),
        b2 << 27 | w2 << 17 | (s2 - 1),
        a2 << 28 | a1 << 23 | a0 << 17 | (d3 - 1),
        (iteration[0] - 1) << 17 | (iteration[1] - 1),
        locks,
    ]


def shim_bd(
    length: int, dims: Any = ((0, 1), (0, 1)), d2: int = 1, iteration: tuple[int, int] = (1, 1), packet: Any = None
) -> list[int]:
    (w0, s0), (w1, s1) = dims
    iterate = (iteration[0] - 1) << 20 | (iteration[1] - 1)
    header = 0 if packet is None else 1 << 30 | packet << 19
    return [length, 0, header, w0 << 20 | (s0 - 1), 2 << 30 | w1 << 20 | (s1 - 1), 0x02000000 | (d2 - 1), iterate, 1 << 25]


class Words:
    """An instruction stream, operation by operation."""

    def __init__(self) -> None:
        self.ops: list[list[int]] = []

    def write(self, col: int, row: int, offset: int, value: int) -> None:
        self.ops.append([0, 0, col << 25 | row << 20 | offset, 0, value, 24])

    def block(self, col: int, row: int, offset: int, data: list[int]) -> None:
        self.ops.append([1, 0, col << 25 | row << 20 | offset, 4 * (4 + len(data)), *data])

    def patch(self, col: int, bd: int, argument: int, plus: int = 0) -> None:
        self.ops.append([0x81, 48, 0, 0, 0, 0, col << 25 | 0x1D004 + 0x20 * bd, 0, argument, 0, plus, 0])

    def push(self, col: int, direction: int, channel: int, bd: int, repeat: int = 0, token: bool = False) -> None:
        offset = (0x1D204 if direction == S2MM else 0x1D214) + 8 * channel
        self.write(col, 0, offset, bd | repeat << 16 | int(token) << 31)

    def shim(self, direction: int, bd: int, argument: int, words: list[int], *, col: int = 0, channel: int = 0, repeat: int = 0,
             plus: int = 0, token: bool | None = None) -> None:  # fmt: skip
        """Writes, patches and starts one shim BD, as a dma_memcpy_nd does."""
        self.block(col, 0, 0x1D000 + 0x20 * bd, words)
        self.patch(col, bd, argument, plus)
        self.push(col, direction, channel, bd, repeat, direction == S2MM if token is None else token)

    def sync(self, direction: int, channel: int = 0, col: int = 0, row: int = 0) -> None:
        self.ops.append([0x80, 16, direction | row << 8 | col << 16, 1 << 8 | 1 << 16 | channel << 24])

    def array(self) -> np.ndarray:
        flat = [w for op in self.ops for w in op]
        return np.array([0x06030100, 0x104, len(self.ops), 4 * (len(flat) + 4), *flat], np.uint32)


_SIGNATURES = {
    "use_lock": "i32 i32 i32 i32", "work": "i32 i64 i64", "read": "i64 i64 i32", "write": "i64 i64 i32", "store": "i64 i32",
    "stream_get": "i32 i64 i32 i32", "stream_put": "i32 i64 i32 i32", "stream_put_packet": "i32 i32 i64 i32 i32",
    "kernel": "i32 i64 i32 i32", "cascade_get": "i64 i32", "cascade_put": "i64 i32", "event": "i32",
}  # fmt: skip


def program(calls: list[tuple[Any, ...]], endless: bool = False) -> int:
    """Address of a native function that makes `calls` (symbol name without prefix, arguments) once or forever.

    `("store", address, value)` is a plain 32-bit store. The code is LLVM dialect, compiled by MLIR's JIT.
    """
    lines: list[str] = []
    for number, (name, *values) in enumerate(calls):
        types = _SIGNATURES[name].split()
        arguments = [f"%c{number}_{i}" for i in range(len(values))]
        lines += [f"{a} = llvm.mlir.constant({v} : {t}) : {t}" for a, v, t in zip(arguments, values, types, strict=True)]
        if name == "store":
            lines += [f"%p{number} = llvm.inttoptr {arguments[0]} : i64 to !llvm.ptr"]
            lines += [f"llvm.store volatile {arguments[1]}, %p{number} : i32, !llvm.ptr"]
            continue
        lines += [f"%f{number}_i = llvm.mlir.constant({_engine.symbols()['allo_sim_' + name]} : i64) : i64"]
        lines += [f"%f{number} = llvm.inttoptr %f{number}_i : i64 to !llvm.ptr"]
        lines += [f"llvm.call %f{number}({', '.join(arguments)}) : !llvm.ptr, ({', '.join(types)}) -> ()"]
    body = "\n".join(lines)
    text = f"llvm.func @main() {{\n llvm.br ^loop\n^loop:\n{body}\n{'llvm.br ^loop' if endless else 'llvm.return'}\n}}"
    with reused_context():
        engine = execution_engine.ExecutionEngine(ir.Module.parse(text), opt_level=0)
    _KEEP.append(engine)
    return int(engine.raw_lookup("main"))


class Rig:
    """One column: shim (0, 0), memtile (0, 1), cores (0, 2) to (0, 5), on quick controls and without the token tail."""

    def __init__(self, arch: str = "AIE2", columns: int = 1, seed: int = 0, **timing: float) -> None:
        constants = ARCHITECTURES[arch].timing().as_dict() | {"token_tail": 0} | timing
        self.array = _engine.Array(arch, columns, 6, constants, seed)
        for col in range(columns):
            self.array.add_tile(col, 0, "shim", 0, 16, 16, 2, 2)
            self.array.add_tile(col, 1, "mem", 512 * 1024, 64, 48, 6, 6)
            for row in range(2, 6):
                self.array.add_tile(col, row, "core", 64 * 1024, 16, 16, 2, 2)
        self.words = Words()

    def flow(
        self, source: tuple[int, int, str, int], *dests: tuple[int, int, str, int], packet: Any = None, keep: bool = False
    ) -> None:
        self.array.add_route(source, packet, [(*d, 4, 4, keep) for d in dests])

    def memory(self, col: int, row: int) -> np.ndarray:
        return self.array.memory(col, row).view(np.int32)

    def host(self, *buffers: np.ndarray) -> None:
        for index, data in enumerate(buffers):
            self.array.add_host_buffer(index, data)

    def run(self, **options: Any) -> _engine.Result:
        self.array.load(self.words.array())
        return self.array.run(**{"max_cycles": 10_000_000, **options})


def relay(rig: Rig, length: int, words: int, *, buffers: int = 2) -> None:
    """A memtile pass-through in buffers of `length` words; the host sends `words` words of argument 0 and gets them in 1."""
    rig.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
    rig.flow((0, 1, "DMA", 0), (0, 0, "DMA", 0))
    rig.array.set_lock(0, 1, 0, buffers)
    for i in range(buffers):
        base = 0x80000 + i * length * 4
        following = (i + 1) % buffers
        rig.array.add_buffer(0, 1, i * length * 4, length * 4, f"b{i}")
        rig.array.write_bd(0, 1, i, mem_bd(length, base, acquire=(64, -1), release=(65, 1), following=following))
        rig.array.write_bd(0, 1, 8 + i, mem_bd(length, base, acquire=(65, -1), release=(64, 1), following=8 + following))
    rig.array.start_channel(0, 1, S2MM, 0, 0)
    rig.array.start_channel(0, 1, MM2S, 0, 8)
    rig.words.shim(MM2S, 0, 0, shim_bd(words))
    rig.words.shim(S2MM, 1, 1, shim_bd(words))
    rig.words.sync(S2MM)


@pytest.fixture
def hw() -> SimpleNamespace:
    """All of the above by name."""
    return SimpleNamespace(
        Rig=Rig, Words=Words, core_bd=core_bd, mem_bd=mem_bd, shim_bd=shim_bd, program=program, relay=relay,
        S2MM=S2MM, MM2S=MM2S,
        lock=lambda col, row, number: col << 16 | row << 8 | number,
        kinds=lambda result: [f.kind for f in result.findings],
    )  # fmt: skip
