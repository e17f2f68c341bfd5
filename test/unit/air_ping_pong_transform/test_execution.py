"""The ping-pong form computes the same in every order that its tokens allow, on any trip count."""

from pathlib import Path

import numpy as np
import pytest

from allo_air import asm
from allo_air.passes.air_label_scf_for_to_ping_pong import AirLabelScfForToPingPong
from allo_air.passes.air_ping_pong_transform import AirPingPongTransform
from allo_air.passes.canonicalize import Canonicalize

DATA = Path(__file__).parents[2] / "data/reference"
BEFORE = {"matmul_no_l2_i32": (64, 64, 64), "walkthrough_i32": (64, 64, 256)}


def transformed(text, *, keep=False, canonical=False):
    module = asm.read(text)
    with module.context, module.location:
        AirLabelScfForToPingPong().run(module)
        AirPingPongTransform(keep_memref_dealloc=keep).run(module)
        asm.verify(module)
        if canonical:
            Canonicalize().run(module)
    assert "unroll" not in asm.write(module)
    return module


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("case", BEFORE)
@pytest.mark.parametrize("canonical", [False, True])
def test_reference_inputs(case, canonical, execute):
    m, n, k = BEFORE[case]
    [path] = (DATA / case).glob("*-air-label-scf-for-to-ping-pong.mlir")
    module = transformed(path.read_text(), keep=True, canonical=canonical)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        a, b = rng.integers(-9, 9, (m, k)), rng.integers(-9, 9, (k, n))
        c = np.zeros((m, n), np.int64)
        order = {"matmul_no_l2_i32": (a, b, c), "walkthrough_i32": (a, b, c)}[case]
        execute(module, *order, seed=seed)
        np.testing.assert_array_equal(c, a @ b)


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
  %p:3 = scf.for %i = %c0 to BOUND step STEP iter_args(%t = %s, %u = %s, %v = %s) -> (!air.async.token, !air.async.token, !air.async.token) {{
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
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 7])
@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("is_dynamic", [False, True])
@pytest.mark.parametrize("waits", ["%5, %6", "%1, %2, %4", "%t"])
def test_output_buffers_on_any_trip_count(count, step, is_dynamic, waits, execute):
    bound = count * step - (1 if step > 1 and count else 0)  # the last step is cut short
    text = SUM.replace("INSTEP", f"%d{step}").replace("STEP", f"%c{step}").replace("YIELD", waits)
    text = text.replace("BOUND", "%n" if is_dynamic else "%bound").replace("INNER", "%m" if is_dynamic else "%inner")
    text = text.replace("  %c0 = ", f"  %bound = arith.constant {bound} : index\n  %c0 = ")
    text = text.replace("    %d0 = ", f"    %inner = arith.constant {bound} : index\n    %d0 = ")
    module = transformed(text, keep=count % 2 == 0)
    changed = asm.write(module).count("memref.alloc()")
    # Iterations that do not wait for the one before may swap their gets on a channel, in the input already.
    assert changed == (3 if count < 2 and not is_dynamic else 6)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        x, y = rng.integers(-9, 9, (64, 4)), rng.integers(-9, 9, (64, 4))
        z = np.zeros((64, 4), np.int64)
        execute(module, x, y, z, bound, seed=seed)
        rows = np.zeros(64, bool)
        rows[:bound:step] = True
        np.testing.assert_array_equal(z[rows], (x + y)[rows])
        assert not z[~rows].any()
