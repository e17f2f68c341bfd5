"""Control programs beside a device, run as they stand: loops, waits, order, parameters, and what they must not do."""

from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.errors import DiagnosticError
from allo_air.interp.errors import OutOfBounds, Race, Unsupported
from allo_air.mlir import ir, new_context
from allo_air.program.control.actions import Move, Wait
from allo_air.program.control.host import actions
from allo_air.program.control.run import run

DEVICE = """
aie.device(npu1) @loop {
  %shim = aie.tile(0, 0)
  aie.flow(%shim, DMA : 0, %shim, DMA : 0)
  aie.shim_dma_allocation @in(%shim, MM2S, 0)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
}
"""
"""What goes in comes out."""

HERD = """
aie.device(npu1) @herd {
  %shim = aie.tile(0, 0)
  %tile = aie.tile(1, 3)
  %rtp = aie.buffer(%tile) {sym_name = "__air_herd_rtp_1_3"} : memref<2xi32>
  %go = aie.lock(%tile, 0) {init = 0 : i32, sym_name = "__air_herd_lock_1_3"}
  %buffer = aie.buffer(%tile) : memref<1xi32>
  %empty = aie.lock(%tile, 1) {init = 1 : i32}
  %full = aie.lock(%tile, 2) {init = 0 : i32}
  aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      aie.use_lock(%go, Acquire, 1)
      aie.use_lock(%empty, AcquireGreaterEqual, 1)
      %x = memref.load %rtp[%c0] : memref<2xi32>
      %y = memref.load %rtp[%c1] : memref<2xi32>
      %z = arith.addi %x, %y : i32
      memref.store %z, %buffer[%c0] : memref<1xi32>
      aie.use_lock(%full, Release, 1)
    }
    aie.end
  }
  aie.mem(%tile) {
    %0 = aie.dma_start(MM2S, 0, ^bd, ^end)
  ^bd:
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.dma_bd(%buffer : memref<1xi32>, 0, 1)
    aie.use_lock(%empty, Release, 1)
    aie.next_bd ^bd
  ^end:
    aie.end
  }
  aie.flow(%tile, DMA : 0, %shim, DMA : 0)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
}
airrt.module_metadata {
  airrt.segment_metadata attributes {sym_name = "s"} {
    airrt.herd_metadata {sym_name = "h", loc_x = 1 : i64, loc_y = 3 : i64, size_x = 1 : i64, size_y = 1 : i64}
  }
}
"""

NUMBERS = "\n".join(f"  %n{i} = arith.constant {i} : i64" for i in (0, 1, 2, 4, 8, 16, 32))


def copy(name: str, buffer: str, offset: str = "%n0", size: int = 4, stride: int = 1, rows: int = 1, step: int = 0) -> str:
    lists = f"[%n0, %n0, %n0, {offset}], [%n1, %n1, %n{rows}, %n{size}], [%n0, %n0, %n{step}, %n{stride}]"
    types = f"(i32, i64, i64, memref<{'32xi32'}>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64])"
    return f"airrt.dma_memcpy_nd(%id, %n0, %n0, {buffer}{lists}) {{metadata = @{name}}} : {types} : !airrt.event"


def program(body: str) -> str:
    arguments = ", ".join(f"%{b}: memref<32xi32>" for b in "abc")
    return f"func.func @f({arguments}) {{\n  %id = arith.constant 0 : i32\n{NUMBERS}\n{body}\n  return\n}}\n"


def execute(device: str, body: str, seed: int = 0) -> list[Any]:
    arrays = [np.arange(32, dtype=np.int32) + 100 * n for n in range(3)]
    with new_context(), ir.Location.unknown():
        module = asm.read(device + program(body), "control.mlir")
        function = next(o.operation for o in module.regions[0].blocks[0].operations if o.operation.name == "func.func")
        run(module, function, arrays, seed)
    return arrays


def test_strides_and_offsets() -> None:
    _, b, _ = execute(DEVICE, f"%0 = {copy('in', '%a', '%n2', 4, 1, 2, 16)}\n%1 = {copy('out', '%b', '%n1', 8, 2)}")
    expected = np.arange(32) + 100
    expected[2:18:2] = [2, 3, 4, 5, 18, 19, 20, 21]
    np.testing.assert_array_equal(b, expected)


def test_loops_go_on_side_by_side() -> None:
    body = f"""affine.for %i = 0 to 8 {{
      %j = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
      %o = arith.index_cast %j : index to i64
      %0 = {copy("in", "%a", "%o")}
    }}
    %low = arith.constant 0 : index
    %up = arith.constant 32 : index
    %by = arith.constant 4 : index
    scf.for %i = %low to %up step %by {{
      %o = arith.index_cast %i : index to i64
      %0 = {copy("out", "%b", "%o")}
    }}"""
    a, b, _ = execute(DEVICE, body)
    np.testing.assert_array_equal(b, a)


@pytest.mark.parametrize("end", ["", " {air.launch = 0 : i32, air.launch_end}"])
def test_what_was_received_is_sent(end: str) -> None:
    first = f"%0 = {copy('in', '%a', size=32)}\n%1 = {copy('out', '%b', size=32)}\nairrt.wait_all %0, %1{end}"
    a, b, c = execute(DEVICE, f"{first}\n%2 = {copy('in', '%b', size=32)}\n%3 = {copy('out', '%c', size=32)}")
    np.testing.assert_array_equal(b, a)
    np.testing.assert_array_equal(c, np.arange(32))


def test_a_wait_is_missing() -> None:
    with pytest.raises(Race, match="reads data that another transfer writes, without a wait between them"):
        execute(DEVICE, f"%0 = {copy('in', '%a')}\n%1 = {copy('out', '%b')}\n%2 = {copy('in', '%b')}\n%3 = {copy('out', '%c')}")


TWO = DEVICE.replace(
    "}\n",
    """  aie.flow(%shim, DMA : 1, %shim, DMA : 1)
  aie.shim_dma_allocation @in2(%shim, MM2S, 1)
  aie.shim_dma_allocation @out2(%shim, S2MM, 1)
}
""",
)


def air(verb: str, name: str, buffer: str, waits: str | None = None, part: str = "[] [] []") -> str:
    """A put or get after the tokens `waits`; without them, a synchronous one."""
    start = "" if waits is None else f"async [{waits}] "
    return f"air.channel.{verb} {start}@{name}[] ({buffer}{part}) {{metadata = @{name}}} : (memref<32xi32>)"


CHANNELS = "".join(f"air.channel @{n} []\n" for n in ("in", "out", "in2", "out2"))
GOT = f"%p = {air('put', 'in', '%a', '')}\n%g = {air('get', 'out', '%b', '')}"


@pytest.mark.parametrize(
    "between",
    [
        "",
        "%t = air.wait_all async [%p, %g]",
        "%t = air.execute [%g] {\n}",
        "air.wait_all [%g]\n%t = air.wait_all async",
        "%t = scf.for %i = %low to %up step %up iter_args(%s = %g) -> (!air.async.token) {"
        "\n%w = air.wait_all async [%s]\nscf.yield %w : !air.async.token\n}",
        "%t = air.launch async [%g] () in () {\n}",
    ],
)
def test_tokens_order_transfers(between: str) -> None:
    token = "%t" if between else "%g"
    limits = "%low = arith.constant 0 : index\n%up = arith.constant 1 : index\n"
    body = f"{limits}{GOT}\n{between}\n%q = {air('put', 'in', '%b', token)}\n%r = {air('get', 'out', '%c', '')}"
    a, b, c = execute(CHANNELS + DEVICE, body)
    np.testing.assert_array_equal(b, a)
    np.testing.assert_array_equal(c, np.arange(32))


def test_an_execute_region_returns_an_offset() -> None:
    offset = "%t, %o = air.execute -> (index) {\n%k = arith.constant 8 : index\nair.execute_terminator %k : index\n}"
    sizes = "%four = arith.constant 4 : index\n%one = arith.constant 1 : index"
    put, get = air("put", "in", "%a", "%t", "[%o] [%four] [%one]"), air("get", "out", "%b", "%t", "[%o] [%four] [%one]")
    a, b, _ = execute(CHANNELS + DEVICE, f"{offset}\n{sizes}\n%p = {put}\n%g = {get}")
    np.testing.assert_array_equal(b, [*range(100, 108), *a[8:12], *range(112, 132)])


def test_the_token_of_a_launch_tells_that_all_in_it_has_ended() -> None:
    launch = "%l = air.launch async () in () args(%x = %a, %y = %b) : memref<32xi32>, memref<32xi32> {"
    body = launch + GOT.replace("%a", "%x").replace("%b", "%y") + f"\n}}\n%q = {air('put', 'in', '%b', '%l')}"
    a, _, c = execute(CHANNELS + DEVICE, f"{body}\n%r = {air('get', 'out', '%c', '')}")
    np.testing.assert_array_equal(c, a)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (f"{GOT}\n%q = {air('put', 'in', '%b', '%p')}", "reads data that another transfer writes, without a token or wait"),
        (f"{GOT}\n%q = {air('put', 'in2', '%a', '')}\n%r = {air('get', 'out2', '%b', '')}", "writes data that another"),
    ],
)
def test_a_token_is_missing(body: str, message: str) -> None:
    with pytest.raises(Race, match=message):
        execute(CHANNELS + TWO, body)


def test_two_channels_write_the_same_without_a_wait() -> None:
    sends = f"%0 = {copy('in', '%a')}\n%1 = {copy('in2', '%a', '%n8')}"
    first, second = f"%2 = {copy('out', '%b')}", f"%3 = {copy('out2', '%b')}"
    with pytest.raises(Race, match="writes data that another transfer writes, without a wait between them"):
        execute(TWO, f"{sends}\n{first}\n{second}")
    for seed in range(4):
        _, b, _ = execute(TWO, f"{sends}\n{first}\nairrt.wait_all %2\n{second}", seed)
        assert b[:4].tolist() == [8, 9, 10, 11]


def test_parameters_start_a_herd_in_each_launch() -> None:
    body = ""
    for launch, (x, out) in enumerate((("%x", "%n0"), ("%y", "%n1"))):
        body += f"""
        %h{launch} = airrt.herd_load "h" ({x}, %z) {{segment_name = "s"}} : (i32, i32) -> i64
        %e{launch} = {copy("out", "%a", out, 1)}
        airrt.wait_all %e{launch} {{air.launch = {launch} : i32, air.launch_end}}"""
    values = "\n".join(f"%{n} = arith.constant {v} : i32" for n, v in (("x", 5), ("y", 6), ("z", 1000)))
    assert execute(HERD, values + body)[0][:3].tolist() == [1005, 1006, 2]


@pytest.mark.parametrize(
    ("kind", "body", "message"),
    [
        (OutOfBounds, f"%0 = {copy('in', '%a', '%n32')}", "reaches elements 32 to 35 of a buffer of 32"),
        (
            DiagnosticError,
            f"%0 = {copy('nobody', '%a')}",
            r"no shim DMA allocation found for symbol @nobody .* \(there are: @in, @out\)",
        ),
        (Unsupported, "%z = arith.constant 0 : i32\nlinalg.fill ins(%z : i32) outs(%a : memref<32xi32>)", "only transfers"),
        (DiagnosticError, f"%0 = {copy('out', '%a')}", "deadlock"),
    ],
)
def test_what_a_host_cannot_do(kind: type[DiagnosticError], body: str, message: str) -> None:
    with pytest.raises(kind, match=message):
        execute(DEVICE, body)


def test_actions_in_the_order_of_the_text() -> None:
    body = f"%0 = {copy('in', '%a', '%n4')}\nairrt.wait_all %0\n%1 = {copy('out', '%b', size=8)}"
    with new_context():
        module = asm.read(DEVICE + program(body))
        [*_, function] = module.regions[0].blocks[0].operations
        one, wait, other = actions(module, function.operation)
    assert isinstance(one, Move)
    assert isinstance(other, Move)
    assert isinstance(wait, Wait)
    assert (one.allocation, one.argument, one.offset, one.dims[-1]) == ("in", 0, 4, (4, 1))
    assert (other.argument, other.offset, other.dims[-1]) == (1, 0, (8, 1))
    assert wait.moves == {one}
