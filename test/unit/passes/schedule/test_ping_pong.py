"""The ping-pong form computes the same in every order that its tokens allow, on any trip count."""

import numpy as np
import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.passes.bd.air_specialize_channel_wrap_and_stride import AirSpecializeChannelWrapAndStride
from allo_air.passes.canonical.canonicalize import Canonicalize
from allo_air.passes.schedule.air_label_scf_for_to_ping_pong import AirLabelScfForToPingPong
from allo_air.passes.schedule.air_ping_pong_transform import AirPingPongTransform
from helpers import agrees, apply, integers, reference

ENDS = ("air.channel.put", "air.channel.get")
BEFORE = {"matmul_no_l2_i32": (64, 64, 64), "walkthrough_i32": (64, 64, 256)}


def transformed(module, *, keep=False, canonical=False):
    apply(module, AirLabelScfForToPingPong(), AirPingPongTransform(keep_memref_dealloc=keep), *[Canonicalize()] * canonical)
    assert "unroll" not in asm.write(module)
    return module


def labelled(case):
    """A reference program before the transform, without its deallocations in L2, which do not wait for all uses."""
    module = reference(case, "air-label-scf-for-to-ping-pong")
    for op in walk_named(module, "memref.dealloc"):
        if str(op.operands[0].type).endswith(", 1>"):
            op.erase()
    return module


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", BEFORE)
@pytest.mark.parametrize("canonical", [False, True])
def test_reference_inputs(case, canonical):
    m, n, k = BEFORE[case]
    module = transformed(labelled(case), keep=True, canonical=canonical)
    a, b, c = integers(m, k), integers(k, n, seed=1), np.zeros((m, n), np.int32)
    agrees(module, [a, b, c], [a, b, a @ b])


def buffer(name, space=2):
    return f"""
      %{name}_t, %{name} = air.execute -> (memref<4xi32, {space}>) {{
        %alloc = memref.alloc() : memref<4xi32, {space}>
        air.execute_terminator %alloc : memref<4xi32, {space}>
      }}"""


SUM = f"""
air.channel @x []
air.channel @y []
air.channel @z []
func.func @f(%x: memref<64x4xi32>, %y: memref<64x4xi32>, %z: memref<64x4xi32>, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %s = air.wait_all async
  %p:3 = scf.for %i = %c0 to BOUND step STEP iter_args(%t = %s, %u = %s, %v = %s)
      -> (!air.async.token, !air.async.token, !air.async.token) {{
    %1 = air.channel.put async [%t] @x[] (%x[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<64x4xi32>)
    %2 = air.channel.put async [%u] @y[] (%y[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<64x4xi32>)
    %3 = air.channel.get async [%v] @z[] (%z[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<64x4xi32>)
    scf.yield %1, %2, %3 : !air.async.token, !air.async.token, !air.async.token
  }}
  %h = air.herd @h async tile (%hx, %hy) in (%sx=%c1, %sy=%c1) args(%m=%n) : index {{
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %d2 = arith.constant 2 : index
    %q = air.wait_all async
    %r = scf.for %i = %d0 to INNER step INSTEP iter_args(%t = %q) -> (!air.async.token) {{
      {buffer("a")}{buffer("b")}{buffer("c")}
      %1 = air.channel.get async [%t, %a_t] @x[] (%a[] [] []) : (memref<4xi32, 2>)
      %2 = air.channel.get async [%t, %b_t] @y[] (%b[] [] []) : (memref<4xi32, 2>)
      %3 = air.execute [%1, %2, %c_t] {{
        linalg.add ins(%a, %b : memref<4xi32, 2>, memref<4xi32, 2>) outs(%c : memref<4xi32, 2>)
      }}
      %4 = air.channel.put async [%3] @z[] (%c[] [] []) : (memref<4xi32, 2>)
      %5 = air.execute [%3] {{
        memref.dealloc %a : memref<4xi32, 2>
      }}
      %6 = air.execute [%4] {{
        memref.dealloc %c : memref<4xi32, 2>
      }}
      %7 = air.wait_all async [YIELD]
      scf.yield %7 : !air.async.token
    }}
  }}
  return
}}
"""


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5])
@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("waits", ["%5, %6", "%1, %2, %4", "%t"])
def test_output_buffers_on_any_trip_count(count, step, is_dynamic, waits):
    bound = count * step - (1 if step > 1 and count else 0)  # the last step is cut short
    text = SUM.replace("INSTEP", f"%d{step}").replace("STEP", f"%c{step}").replace("YIELD", waits)
    text = text.replace("BOUND", "%n" if is_dynamic else "%bound").replace("INNER", "%m" if is_dynamic else "%inner")
    text = text.replace("  %c0 = ", f"  %bound = arith.constant {bound} : index\n  %c0 = ")
    text = text.replace("    %d0 = ", f"    %inner = arith.constant {bound} : index\n    %d0 = ")
    module = transformed(asm.read(text), keep=count % 2 == 0)
    changed = asm.write(module).count("memref.alloc()")
    # Iterations that do not wait for the one before may swap their gets on a channel, in the input already.
    assert changed == (3 if count < 2 and not is_dynamic else 6)
    x, y, z = integers(64, 4), integers(64, 4, seed=1), np.zeros((64, 4), np.int32)
    wanted = z.copy()
    wanted[:bound:step] = (x + y)[:bound:step]
    agrees(module, [x, y, z, bound], [x, y, wanted], seeds=3)


MEMTILE = f"""
air.channel @x []
air.channel @y []
air.channel @xs []
air.channel @ys []
air.channel @w []
air.channel @z []
func.func @f(%x: memref<64x4xi32>, %y: memref<64x4xi32>, %z: memref<64x4xi32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %bound = arith.constant BOUND : index
  %s = air.wait_all async
  %p:3 = scf.for %i = %c0 to %bound step %c1 iter_args(%t = %s, %u = %s, %v = %s)
      -> (!air.async.token, !air.async.token, !air.async.token) {{
    %1 = air.channel.put async [%t] @x[] (%x[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<64x4xi32>)
    %2 = air.channel.put async [%u] @y[] (%y[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<64x4xi32>)
    %3 = air.channel.get async [%v] @z[] (%z[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<64x4xi32>)
    scf.yield %1, %2, %3 : !air.async.token, !air.async.token, !air.async.token
  }}
  %w = air.channel.put async @w[] (%y[%c0, %c0] [%c1, %c4] [%c4, %c1]) : (memref<64x4xi32>)
  %h = air.segment @s async {{
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %d2 = arith.constant 2 : index
    %d4 = arith.constant 4 : index
    %inner = arith.constant BOUND : index
    {buffer("k", 1)}
    %q = air.channel.get async [%k_t] @w[] (%k[] [] []) : (memref<4xi32, 1>)
    %r = scf.for %i = %d0 to %inner step %d1 iter_args(%t = %q) -> (!air.async.token) {{
      {buffer("a", 1)}{buffer("b", 1)}
      %1 = air.channel.get async [%t, %a_t] @x[] (%a[] [] []) : (memref<4xi32, 1>)
      %2 = air.channel.get async [%b_t, %t] @y[] (%b[] [] []) : (memref<4xi32, 1>)
      %3 = scf.for %j = %d0 to %d4 step %d2 iter_args(%u = %1) -> (!air.async.token) {{
        %4 = air.channel.put async [%u] @xs[] (%a[%j] [%d2] [%d1]) : (memref<4xi32, 1>)
        scf.yield %4 : !air.async.token
      }}
      %5 = scf.for %j = %d0 to %d4 step %d2 iter_args(%u = %t) -> (!air.async.token) {{
        %4 = air.channel.put async [%u, %2] @ys[] (%b[%j] [%d2] [%d1]) : (memref<4xi32, 1>)
        scf.yield %4 : !air.async.token
      }}
      %6 = air.channel.put async [%t] @w2[] (%k[] [] []) : (memref<4xi32, 1>)
      %7 = air.execute [%3] {{
        memref.dealloc %a : memref<4xi32, 1>
      }}
      %8 = air.execute [%5] {{
        memref.dealloc %b : memref<4xi32, 1>
      }}
      %9 = air.wait_all async [%6, %7, %8]
      scf.yield %9 : !air.async.token
    }}
    %h = air.herd @h async tile (%hx, %hy) in (%sx=%d1, %sy=%d1) {{
      %e0 = arith.constant 0 : index
      %e1 = arith.constant 1 : index
      %core = arith.constant BOUND : index
      %o = air.wait_all async
      %l = scf.for %i = %e0 to %core step %e1 iter_args(%t = %o) -> (!air.async.token) {{
        {buffer("a")}{buffer("b")}{buffer("c")}{buffer("d")}
        %1 = air.channel.get async [%t, %a_t] @xs[] (%a[] [] []) : (memref<4xi32, 2>)
        %2 = air.channel.get async [%t, %b_t] @ys[] (%b[] [] []) : (memref<4xi32, 2>)
        %3 = air.channel.get async [%t, %d_t] @w2[] (%d[] [] []) : (memref<4xi32, 2>)
        %4 = air.execute [%1, %2, %c_t] {{
          linalg.add ins(%a, %b : memref<4xi32, 2>, memref<4xi32, 2>) outs(%c : memref<4xi32, 2>)
        }}
        %5 = air.execute [%3, %4] {{
          linalg.add ins(%c, %d : memref<4xi32, 2>, memref<4xi32, 2>) outs(%c : memref<4xi32, 2>)
        }}
        %6 = air.channel.put async [%5] @z[] (%c[] [] []) : (memref<4xi32, 2>)
        scf.yield %6 : !air.async.token
      }}
    }}
    %f = air.execute [%r] {{
      memref.dealloc %k : memref<4xi32, 1>
    }}
  }}
  return
}}
air.channel @w2 []
"""


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("count", [2, 3, 6])
@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("canonical", [False, True])
def test_memtile_loops_with_unrelated_transfers(count, keep, canonical):
    module = transformed(asm.read(MEMTILE.replace("BOUND", str(count))), keep=keep, canonical=canonical)
    loops = [op for op in walk_named(module, "scf.for") if walk_named(op, "air.channel.put")]
    alone = [op for op in loops if {e.opview.chan_name for e in walk_named(op, *ENDS)} == {"w2"}]
    assert len(alone) == 1, "the put that shares nothing with the buffers has a loop of its own"
    x, y, z = integers(64, 4), integers(64, 4, seed=1), np.zeros((64, 4), np.int32)
    wanted = z.copy()
    wanted[:count] = (x + y + y[0])[:count]
    agrees(module, [x, y, z], [x, y, wanted], seeds=4)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", BEFORE)
def test_reference_inputs_through_wrap_and_stride(case):
    m, n, k = BEFORE[case]
    module = transformed(labelled(case), canonical=True)
    apply(module, AirSpecializeChannelWrapAndStride(scope="func"), Canonicalize())
    herds = walk_named(module, "air.herd")
    assert len(walk_named(module, "scf.for")) == sum(len(walk_named(h, "scf.for")) for h in herds) == 1
    a, b, c = integers(m, k), integers(k, n, seed=1), np.zeros((m, n), np.int32)
    agrees(module, [a, b, c], [a, b, a @ b], seeds=1)
