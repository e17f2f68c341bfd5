"""Code as Peano compiles it: what stays in registers, what a library does, what becomes blocks."""

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.core.walking import walk_named
from allo_air.core_model.machine import machine_of
from allo_air.core_model.schedule import nest_cycles, straight_line_cycles
from allo_air.sim.cores.prepare import prepare

V, ROW, ONE = "vector<16xbf16>", "memref<1024xbf16>", "memref<16xbf16>"
IN = "{in_bounds = [true]}"


def cycles(body, arguments=f"%x: {ROW}, %y: {ROW}, %s: {ONE}, %t: {ONE}", compiled=True):
    text = f"""func.func @core({arguments}) {{
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %n = arith.constant 1024 : index
      %z = ub.poison : bf16
      %zero = arith.constant dense<0.0> : {V}
      {body}
      return
    }}"""
    with reused_context():
        module = asm.read(text)
        prepare(module)
        machine = machine_of("AIE2p", compiled=compiled)
        return sum(nest_cycles(loop, machine).cycles for loop in walk_named(module, "scf.for")), module, machine


def turn(lines, carried="", yielded=""):
    read = f"%v = vector.transfer_read %x[%i], %z {IN} : {ROW}, {V}"
    return f"scf.for %i = %c0 to %n step %c16 {carried} {{\n{read}\n{lines}\n{yielded}\n}}"


READ, WRITE = "vector.transfer_read %{m}[%c0], %z {IN} : {ONE}, {V}", "vector.transfer_write %{v}, %{m}[%c0] {IN} : {V}, {ONE}"


def read(m):
    return READ.format(m=m, IN=IN, ONE=ONE, V=V)


def write(v, m):
    return WRITE.format(v=v, m=m, IN=IN, ONE=ONE, V=V)


def test_a_sum_in_memory_is_one_in_a_register():
    in_memory = turn(f"%a = {read('s')}\n%b = arith.addf %a, %v : {V}\n{write('b', 's')}")
    carried = "%r = " + turn(f"%b = arith.addf %a, %v : {V}", f"iter_args(%a = %zero) -> ({V})", f"scf.yield %b : {V}")
    assert cycles(in_memory)[0] == cycles(carried + f"\n{write('r', 's')}")[0]


def test_what_is_stored_and_loaded_again_is_there():
    detour = turn(f"%q = arith.mulf %v, %v : {V}\n{write('q', 't')}\n%w = {read('t')}\n%b = arith.subf %w, %v : {V}\n"
                  f"vector.transfer_write %b, %y[%i] {IN} : {V}, {ROW}")  # fmt: skip
    plain = turn(f"%q = arith.mulf %v, %v : {V}\n%b = arith.subf %q, %v : {V}\n"
                 f"vector.transfer_write %b, %y[%i] {IN} : {V}, {ROW}")  # fmt: skip
    assert cycles(detour)[0] <= cycles(plain)[0] + 64


def test_other_places_of_a_buffer_may_be_the_same():
    """A buffer that is touched at several places is loaded from and stored to."""
    mixed = turn(f"%a = {read('s')}\n%b = arith.addf %a, %v : {V}\nvector.transfer_write %b, %y[%i] {IN} : {V}, {ROW}\n"
                 f"%c = vector.transfer_read %y[%c0], %z {IN} : {ROW}, {V}\n{write('c', 's')}")  # fmt: skip
    assert (
        cycles(mixed)[0] > cycles(turn(f"%b = arith.addf %v, %v : {V}\nvector.transfer_write %b, %y[%i] {IN} : {V}, {ROW}"))[0]
    )


def test_64_lanes_are_widened_in_halves_that_are_shifted_out():
    """The second of two shifts is a cycle after the first, and each conversion after its shift."""
    body = "%w = arith.extf %a : vector<64xbf16> to vector<64xf32>\nvector.store %w, %o[%c0] : memref<64xf32>, vector<64xf32>"
    _, module, machine = cycles(body, "%a: vector<64xbf16>, %o: memref<64xf32>")
    assert straight_line_cycles(walk_named(module, "arith.extf"), machine).cycles == 2 * machine.shuffle + 1


@pytest.mark.parametrize(("name", "figure"), [("addf", "soft_sum"), ("subf", "soft_sum"), ("mulf", "soft_product")])
def test_scalars_of_f32_are_the_library_s(name, figure):
    for compiled in (True, False):
        body = f"%r = arith.{name} %a, %b : f32\nmemref.store %r, %o[%c0] : memref<4xf32>"
        _, module, machine = cycles(body, "%a: f32, %b: f32, %o: memref<4xf32>", compiled)
        cost = straight_line_cycles(walk_named(module, f"arith.{name}"), machine).cycles
        assert (cost == getattr(machine, figure)) == compiled


def quotient(dividend, divisor):
    """Cycles of a division of scalars, and the machine."""
    constants = "%one = arith.constant 1.0 : f32\n%eight = arith.constant 8.0 : f32\n%three = arith.constant 3.0 : f32"
    body = f"{constants}\n%r = arith.divf {dividend}, {divisor} : f32\nmemref.store %r, %o[%c0] : memref<4xf32>"
    _, module, machine = cycles(body, "%a: f32, %b: f32, %o: memref<4xf32>")
    return straight_line_cycles(walk_named(module, "arith.divf"), machine).cycles, machine


def test_a_quotient_is_an_inverse_times_the_dividend():
    whole, machine = quotient("%a", "%b")
    inverse, _ = quotient("%one", "%b")
    assert inverse < 20
    assert whole == inverse + machine.soft_product + 2 * machine.jump == quotient("%a", "%three")[0]
    assert quotient("%a", "%eight")[0] == machine.soft_product


def test_integers_become_floats_by_the_library():
    body = "%r = arith.sitofp %a : i32 to f32\nmemref.store %r, %o[%c0] : memref<4xf32>"
    _, module, machine = cycles(body, "%a: i32, %o: memref<4xf32>")
    assert straight_line_cycles(walk_named(module, "arith.sitofp"), machine).cycles == machine.soft_conversion


@pytest.mark.parametrize(("dividend", "least", "most"), [("%a", 16 * 150, 16 * 200), ("%one", 16, 100)])
def test_vectors_are_divided_lane_by_lane_by_calls_and_inverted_by_instructions(dividend, least, most):
    kind = "vector<16xf32>"
    one = f"%one = arith.constant dense<1.0> : {kind}\n%r = arith.divf {dividend}, %a : {kind}"
    body = f"{one}\nvector.store %r, %o[%c0] : memref<16xf32>, {kind}"
    _, module, machine = cycles(body, f"%a: {kind}, %o: memref<16xf32>")
    assert least <= straight_line_cycles(walk_named(module, "arith.divf"), machine).cycles <= most


def test_factors_that_become_blocks_cost_their_conversion_once():
    """As many contractions as factors, with factors in bf16 or in f32: the same cycles."""
    kind, wide = "vector<8x8xbf16>", "vector<8x8xf32>"
    maps = "[affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]"
    attributes = f'indexing_maps = {maps}, iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>'

    def product(widened):
        read = f"vector.transfer_read %A[%i, %c0, %c0], %z {{in_bounds = [true, true]}} : memref<64x8x8xbf16>, {kind}"
        lines = [f"%a = {read}", f"%b = {read.replace('%A', '%B')}"]
        a, b, t = "%a", "%b", kind
        if widened:
            lines += [f"%{v}w = arith.extf %{v} : {kind} to {wide}" for v in "ab"]
            a, b, t = "%aw", "%bw", wide
        lines += [f"%{n} = vector.contract {{{attributes}}} {a}, {b}, %{s} : {t}, {t} into {wide}" for n, s in ("px", "qy")]
        body = "\n".join(lines)
        return f"""%c1 = arith.constant 1 : index
          %o = arith.constant dense<0.0> : {wide}
          %c64 = arith.constant 64 : index
          %r:2 = scf.for %i = %c0 to %c64 step %c1 iter_args(%x = %o, %y = %o) -> ({wide}, {wide}) {{
          {body}
          scf.yield %p, %q : {wide}, {wide}
        }}
        vector.transfer_write %r#0, %O[%c0, %c0] {{in_bounds = [true, true]}} : {wide}, memref<8x8xf32>
        vector.transfer_write %r#1, %O[%c0, %c0] {{in_bounds = [true, true]}} : {wide}, memref<8x8xf32>"""

    arguments = "%A: memref<64x8x8xbf16>, %B: memref<64x8x8xbf16>, %O: memref<8x8xf32>"
    bf16, f32 = (cycles(product(widened), arguments)[0] for widened in (False, True))
    assert bf16 == f32 > 64 * 10


def test_a_sum_of_lanes_waits_for_each_of_its_additions():
    """Of bf16 it is four additions of f32, each after a shift, between a widening and a rounding; a maximum adds nothing."""

    def waits(kind, element, value):
        lanes = f"vector<16x{element}>"
        body = f"%s = vector.reduction <{kind}>, %v : {lanes} into {element}"
        text = f"func.func @core(%v: {lanes}) {{\n{body}\nreturn\n}}"
        with reused_context():
            module = asm.read(text)
            [operation] = walk_named(module, "vector.reduction")
            machine = machine_of("AIE2p")
            return straight_line_cycles([operation], machine).cycles - value(machine)

    assert waits("add", "f32", lambda m: 4 * (m.shuffle + m.mac) + m.shuffle) == 0
    assert waits("add", "bf16", lambda m: 4 * (m.shuffle + m.mac) + 3 * m.shuffle) == 0
    assert waits("maximumf", "bf16", lambda m: 4 * (m.shuffle + m.alu) + m.shuffle) == 0


def test_few_long_iterations_need_not_overlap():
    f32 = "vector<16xf32>"
    chain = [f"%m{n} = arith.mulf %a{n}, %a0 : {f32}\n%a{n + 1} = arith.addf %m{n}, %a0 : {f32}" for n in range(10)]
    lines = [f"%a0 = arith.extf %v : {V} to {f32}", *chain, f"%q = arith.truncf %a10 : {f32} to {V}"]
    loop = turn("\n".join([*lines, f"vector.transfer_write %q, %y[%i] {IN} : {V}, {ROW}"]))
    few = f"%two = arith.constant 32 : index\n{loop.replace('%n step', '%two step')}"
    assert 0 < cycles(few, compiled=False)[0] <= cycles(few)[0]  # the next one would occupy the slots of its late instructions
    assert cycles(loop, compiled=False)[0] < cycles(loop)[0] * 0.8
