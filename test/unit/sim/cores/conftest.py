"""One core run by itself: the engine's functions are Python callbacks that write down how they are called."""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.sim.cores import CompiledCores, compile_cores

I32, I64, PTR = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p
SIGNATURES = {
    "use_lock": (I32, I32, I32, I32),
    "work": (I32, I64, I64),
    "read": (I64, I64, I32),
    "write": (I64, I64, I32),
    "read_strided": (I64, I64, I64, I64, I32),
    "write_strided": (I64, I64, I64, I64, I32),
    "out_of_bounds": (I32, I64, I64),
    "stream_get": (I32, PTR, I32, I32),
    "stream_put": (I32, PTR, I32, I32),
    "cascade_get": (PTR, I32),
    "cascade_put": (PTR, I32),
    "event": (I32,),
    "kernel": (I32, PTR, I32, I32),
}


class Standin:
    """The engine's symbols as callbacks; `calls` lists them as (name, arguments)."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.stream_in: list[int] = []
        self.stream_out: list[int] = []
        self.cascade: list[bytes] = []
        self.kernels: tuple[Any, ...] = ()
        self._keep = {name: ctypes.CFUNCTYPE(None, *kinds)(self._recorder(name)) for name, kinds in SIGNATURES.items()}
        self.symbols = {f"allo_sim_{name}": ctypes.cast(f, PTR).value or 0 for name, f in self._keep.items()}

    def _recorder(self, name: str) -> Callable[..., None]:
        def record(*arguments: Any) -> None:
            self.calls.append((name, *arguments))
            getattr(self, f"_{name}", lambda *_: None)(*arguments)

        return record

    def _stream_get(self, channel: int, address: int, words: int, site: int) -> None:
        (I32 * words).from_address(address)[:] = [self.stream_in.pop(0) for _ in range(words)]

    def _stream_put(self, channel: int, address: int, words: int, site: int) -> None:
        self.stream_out += (I32 * words).from_address(address)[:]

    def _cascade_put(self, address: int, site: int) -> None:
        self.cascade.append(ctypes.string_at(address, 64))

    def _cascade_get(self, address: int, site: int) -> None:
        ctypes.memmove(address, self.cascade.pop(0), 64)

    def _kernel(self, index: int, address: int, count: int, site: int) -> None:
        self.kernels[index](0, 2, list((I64 * count).from_address(address)))


class Memory:
    """The layout: every buffer in numpy memory of its own, locks numbered in order."""

    def __init__(self, device: Any) -> None:
        self.arrays: dict[Any, np.ndarray] = {}
        self.locks: dict[Any, int] = {}
        for op in device.block.operations:
            if op.operation.name == "aie.buffer":
                self.arrays[op.buffer] = np.zeros(1 << 16, np.uint8)
            if op.operation.name == "aie.lock":
                self.locks[op.lock] = len(self.locks)

    def address(self, buffer: Any) -> int:
        return self.arrays[buffer].ctypes.data

    def place(self, buffer: Any) -> tuple[tuple[int, int], int, int] | None:
        given = buffer.owner.opview.address
        shape = buffer.type
        return None if given is None else ((0, 2), given, shape.get_dim_size(0) * shape.element_type.width // 8)

    def lock_handle(self, lock: Any) -> int:
        return self.locks[lock]


@dataclass
class Ran:
    """A core that ran: buffers in order as bytes, and the calls with addresses as (buffer number, byte offset)."""

    buffers: list[np.ndarray]
    calls: list[tuple[Any, ...]]
    compiled: CompiledCores
    engine: Standin = field(repr=False)

    def view(self, number: int, kind: Any, count: int) -> np.ndarray:
        """The first `count` elements of a buffer."""
        return self.buffers[number][: count * np.dtype(kind).itemsize].view(kind)

    def checks(self, kind: str) -> list[tuple[int, int, int]]:
        """The (buffer, offset, bytes) of all checked runs of `kind` (`read`, `write`), sorted; each access once."""
        found = set()
        for name, *arguments in self.calls:
            if name == kind:
                found.add((*arguments[0], arguments[1]))
            if name == f"{kind}_strided":
                (number, offset), size, count, stride = arguments[:4]
                found |= {(number, offset + i * stride, size) for i in range(count)}
        return sorted(found)

    def named(self, *names: str) -> list[tuple[Any, ...]]:
        """The calls of these names."""
        return [c for c in self.calls if c[0] in names]

    @property
    def cycles(self) -> int:
        """All work reported."""
        return sum(times * cycles for _, _, times, cycles in self.named("work"))


@pytest.fixture
def run(context: object) -> Callable[..., Ran]:
    """`run(core body, buffers=["name : memref type", ...], ...)` compiles and runs one core at (0, 2)."""

    def go(
        body: str,
        buffers: tuple[str, ...] = (),
        values: tuple[np.ndarray | None, ...] = (),
        device: str = "npu1",
        outside: str = "",
        kernels: Any = None,
        prepare: Callable[[Standin], None] = lambda _: None,
    ) -> Ran:
        declared = "\n".join(f"%{b.split(':')[0].split()[0]} = aie.buffer(%t) {_at(b)} : {b.split(':', 1)[1]}" for b in buffers)
        text = (
            f"module {{ aie.device({device}) {{\n%t = aie.tile(0, 2)\n%l0 = aie.lock(%t, 0) {{init = 1 : i32}}\n"
            f"%l1 = aie.lock(%t, 1)\n{declared}\n{outside}\n%core = aie.core(%t) {{\n{body}\naie.end\n}}\n}} }}"
        )
        module = asm.read(text, "core.mlir")
        device_op = walk_named(module, "aie.device")[0].opview
        engine, memory = Standin(), Memory(device_op)
        compiled = compile_cores(device_op, memory, kernels, engine.symbols)
        attached = compiled.on(memory)
        engine.kernels = attached.kernels
        arrays = list(memory.arrays.values())
        for array, value in zip(arrays, values, strict=False):
            if value is not None:
                array[: value.nbytes] = np.frombuffer(value.tobytes(), np.uint8)
        prepare(engine)
        core = attached.cores[0, 2]
        ctypes.CFUNCTYPE(None, PTR)(core.entry)(core.args)
        calls = [_placed(c, arrays) for c in engine.calls]
        return Ran(arrays, calls, compiled, engine)

    return go


def _at(buffer: str) -> str:
    """The address in "name @ address : type", as an attribute."""
    name = buffer.split(":")[0]
    return f"{{address = {name.split('@')[1]} : i32}}" if "@" in name else ""


def _placed(call: tuple[Any, ...], arrays: list[np.ndarray]) -> tuple[Any, ...]:
    if not call[0].startswith(("read", "write")):
        return call
    for number, array in enumerate(arrays):
        offset = call[1] - array.ctypes.data
        if 0 <= offset < array.nbytes:
            return (call[0], (number, offset), *call[2:])
    return (call[0], (-1, call[1]), *call[2:])
