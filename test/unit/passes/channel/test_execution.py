"""air-dma-to-channel on programs that the reference does not show, by execution before and after."""

from typing import Any

import pytest

from allo_air import asm, dialects
from allo_air.core.walking import walk_named
from allo_air.passes.channel.air_dma_to_channel import AirDmaToChannel
from allo_air.passes.schedule.air_dependency import AirDependency
from helpers import integers, keeps

pytestmark = pytest.mark.usefixtures("context")


def check(text: str, asynchronous: bool = False) -> Any:
    """Runs air-dma-to-channel, and air-dependency first if asked to: what a program on a and b computes stays. The module."""
    module = asm.read(text)
    keeps(module, (*[AirDependency()] * asynchronous, AirDmaToChannel()), integers(64), integers(64, seed=1), seeds=3)
    assert not walk_named(module, "air.dma_memcpy_nd")
    return module


def numbers(suffix: str = "") -> str:
    return "\n".join(f"%c{n}{suffix} = arith.constant {n} : index" for n in (0, 1, 2, 3, 4, 8, 16, 32, 64))


def in_herd(shape: tuple[int, int], body: str, operands: str, types: str) -> str:
    """A function on %a, %b with a segment, and a herd of `shape` whose body is `body`."""
    return f"""
    func.func @f(%a: memref<64xi32>, %b: memref<64xi32>) {{
      {numbers("_f")}
      air.launch (%i) in (%n=%c1_f) args(%la=%a, %lb=%b) : memref<64xi32>, memref<64xi32> {{
        air.segment @s args(%sa=%la, %sb=%lb) : memref<64xi32>, memref<64xi32> {{
          {numbers("_s")}
          %m = memref.alloc() : memref<64xi32, 1>
          air.dma_memcpy_nd (%m[] [] [], %sa[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
          %sx = arith.constant {shape[0]} : index
          %sy = arith.constant {shape[1]} : index
          air.herd @h tile (%x, %y) in (%hx=%sx, %hy=%sy) args({operands}) : {types} {{
            {numbers()}
            %one = arith.constant 1 : i32
            {body}
          }}
          air.dma_memcpy_nd (%sb[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 1>)
          memref.dealloc %m : memref<64xi32, 1>
        }}
      }}
      return
    }}"""


def increment(memref: str) -> str:
    return f"""linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]}} ins({memref} : memref<4xi32, 2>) outs({memref} : memref<4xi32, 2>) {{
        ^bb0(%in: i32, %out: i32):
          %sum = arith.addi %in, %one : i32
          linalg.yield %sum : i32
        }}"""


def step(offset: str) -> str:
    """Increments four elements of %l2 from `offset` on."""
    return f"""
    %l1 = memref.alloc() : memref<4xi32, 2>
    air.dma_memcpy_nd (%l1[] [] [], %l2[{offset}] [%c4] [%c1]) : (memref<4xi32, 2>, memref<64xi32, 1>)
    {increment("%l1")}
    air.dma_memcpy_nd (%l2[{offset}] [%c4] [%c1], %l1[] [] []) : (memref<64xi32, 1>, memref<4xi32, 2>)
    memref.dealloc %l1 : memref<4xi32, 2>"""


OFFSET = "%o = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1 * 4)>(%x, %y)"
BODIES = {
    "straight": f"{OFFSET}\n{step('%o')}",
    "loop that reads what it wrote": f"{OFFSET}\nscf.for %k = %c0 to %c3 step %c1 {{ {step('%o')} }}",
    "nest": f"""scf.for %k = %c0 to %c2 step %c1 {{ scf.for %j = %c0 to %c2 step %c1 {{
        %o = affine.apply affine_map<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 16 + d2 * 8 + d3 * 4)>(%x, %y, %k, %j)
        {step("%o")} }} }}""",
    "affine.for": f"""affine.for %k = 0 to 2 {{
        %o = affine.apply affine_map<(d0, d1, d2) -> (d0 * 32 + d1 * 16 + d2 * 8)>(%x, %y, %k)
        {step("%o")} }}""",
    "scf.parallel": f"""scf.parallel (%k) = (%c0) to (%c4) step (%c2) {{
        %o = affine.apply affine_map<(d0, d1, d2) -> (d0 * 32 + d1 * 16 + d2 * 4)>(%x, %y, %k)
        {step("%o")} scf.reduce }}""",
    "scf.forall": f"""scf.forall (%k) in (2) {{
        %o = affine.apply affine_map<(d0, d1, d2) -> (d0 * 32 + d1 * 16 + d2 * 8)>(%x, %y, %k)
        {step("%o")} }}""",
    "carried offset": f"""%s = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1 * 16)>(%x, %y)
        %end = scf.for %k = %c0 to %c2 step %c1 iter_args(%o = %s) -> (index) {{
          {step("%o")}
          %next = arith.addi %o, %c4 : index
          scf.yield %next : index
        }}
        {step("%end")}""",
    "one column": f"{OFFSET}\naffine.if affine_set<()[s0, s1] : (s0 - 1 == 0, s1 >= 0)>()[%x, %y] {{ {step('%o')} }}",
    "all but one core": f"""{OFFSET}
        affine.if affine_set<()[s0, s1] : (s0 == 0, s1 - 1 == 0)>()[%x, %y] {{ }} else {{ {step("%o")} }}""",
    "two branches of cores in a loop": f"""{OFFSET}
        scf.for %k = %c0 to %c3 step %c1 {{
          affine.if affine_set<()[s0] : (s0 == 0)>()[%x] {{ {step("%o")} }}
          else {{ {step("%o")} {step("%o").replace("%l1", "%l3")} }}
        }}""",
    "affine.if on a loop variable": f"""{OFFSET}
        scf.for %k = %c0 to %c3 step %c1 {{
          affine.if affine_set<()[s0, s1] : (s0 - s1 >= 0)>()[%k, %x] {{ {step("%o")} }}
        }}""",
    "scf.if": f"""{OFFSET}
        scf.for %k = %c0 to %c4 step %c1 {{
          %r = arith.remsi %k, %c2 : index
          %t = arith.cmpi eq, %r, %c0 : index
          scf.if %t {{ {step("%o")} }} else {{ {step("%o")} {step("%o").replace("%l1", "%l3")} }}
        }}""",
    "dynamic bounds": f"""{OFFSET}
        %last = arith.addi %x, %c2 : index
        scf.for %k = %x to %last step %c1 {{ {step("%o")} }}""",
    "size arguments": f"%o = arith.muli %x, %c32 : index\n{step('%o').replace('[%c4]', '[%c4]')}".replace("%c32", "%c16"),
}


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("name", BODIES)
def test_herd(name: str, asynchronous: bool) -> None:
    shape = (2, 1) if name == "size arguments" else (2, 2)
    text = in_herd(shape, BODIES[name], "%l2=%m", "memref<64xi32, 1>")
    check(text, asynchronous)


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_l3_straight_into_the_herd_in_place(asynchronous: bool) -> None:
    body = BODIES["loop that reads what it wrote"].replace("memref<64xi32, 1>", "memref<64xi32>")
    text = in_herd((4, 2), body, "%l2=%sa", "memref<64xi32>").replace("%sb[] [] [], %m[] [] []", "%sb[] [] [], %m[] [] []")
    module = check(text, asynchronous)
    inside = [o for o in walk_named(module, "air.segment") for o in walk_named(o, "air.channel.put", "air.channel.get")]
    assert not [o for o in inside if str((o.opview.src if "put" in o.name else o.opview.dst).type) == "memref<64xi32>"]


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_copy_between_outer_memories_leaves_the_herd(asynchronous: bool) -> None:
    body = f"""{OFFSET}
    air.dma_memcpy_nd (%l2[%o] [%c4] [%c1], %l3[%o] [%c4] [%c1]) : (memref<64xi32, 1>, memref<64xi32>)
    {step("%o")}"""
    text = in_herd((2, 2), body, "%l2=%m, %l3=%sa", "memref<64xi32, 1>, memref<64xi32>")
    check(text, asynchronous)


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_copy_inside_one_memory(asynchronous: bool) -> None:
    text = in_herd((2, 2), BODIES["straight"], "%l2=%m", "memref<64xi32, 1>").replace(
        "air.dma_memcpy_nd (%sb[] [] [], %m[] [] [])",
        """%m2 = memref.alloc() : memref<64xi32, 1>
        air.dma_memcpy_nd (%m2[] [] [], %m[] [] []) : (memref<64xi32, 1>, memref<64xi32, 1>)
        air.dma_memcpy_nd (%sb[] [] [], %m2[] [] [])""",
    )
    check(text, asynchronous)


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_loop_around_the_herd_and_in_it(asynchronous: bool) -> None:
    text = in_herd((2, 2), BODIES["loop that reads what it wrote"], "%l2=%m", "memref<64xi32, 1>")
    start = text.index("air.dma_memcpy_nd (%m[]")
    stop = text.index("memref.dealloc %m ")
    text = f"{text[:start]} scf.for %z = %c0_s to %c2_s step %c1_s {{ {text[start:stop]} }} {text[stop:]}"
    check(text, asynchronous)


def test_unrolled_segment_has_channels_for_each_instance() -> None:
    text = f"""
    func.func @f(%a: memref<64xi32>, %b: memref<64xi32>) {{
      {numbers("_f")}
      air.launch (%i) in (%n=%c1_f) args(%la=%a, %lb=%b) : memref<64xi32>, memref<64xi32> {{
        %c2_0 = arith.constant 2 : index
        air.segment @s unroll (%u) in (%us=%c2_0) args(%sa=%la, %sb=%lb) : memref<64xi32>, memref<64xi32> {{
          {numbers("_s")}
          %m = memref.alloc() : memref<32xi32, 1>
          %w = arith.muli %u, %c32_s : index
          air.dma_memcpy_nd (%m[] [] [], %sa[%w] [%c32_s] [%c1_s]) : (memref<32xi32, 1>, memref<64xi32>)
          air.herd @h tile (%x, %y) in (%hx=%c2_s, %hy=%c1_s) args(%l2=%m) : memref<32xi32, 1> {{
            {numbers()}
            %one = arith.constant 1 : i32
            {OFFSET}
            {step("%o").replace("memref<64xi32, 1>", "memref<32xi32, 1>")}
          }}
          air.dma_memcpy_nd (%sb[%w] [%c32_s] [%c1_s], %m[] [] []) : (memref<64xi32>, memref<32xi32, 1>)
        }}
      }}
      return
    }}"""
    module = check(text)
    assert [list(o.opview.size) for o in walk_named(module, "air.channel")] == [[2], [2, 2, 1], [2, 2, 1], [2]]


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_l2_buffer_of_a_core_moves_to_the_segment(asynchronous: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = dialects.check  # they refuse such a buffer, in text: it can only come from a pass in front
    monkeypatch.setattr(dialects, "check", lambda op: [] if walk_named(op, "air.dma_memcpy_nd") else rules(op))
    body = f"""{OFFSET}
    scf.for %k = %c0 to %c2 step %c1 {{
      %l2 = memref.alloc() : memref<4xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %l3[%o] [%c4] [%c1]) : (memref<4xi32, 1>, memref<64xi32>)
      {step("%c0").replace("memref<64xi32, 1>", "memref<4xi32, 1>")}
      air.dma_memcpy_nd (%l3[%o] [%c4] [%c1], %l2[] [] []) : (memref<64xi32>, memref<4xi32, 1>)
      memref.dealloc %l2 : memref<4xi32, 1>
    }}"""
    text = in_herd((2, 2), body, "%l3=%sa", "memref<64xi32>")
    check(text, asynchronous)
