"""The terms of code add up to what the schedules give, and with other trip counts to the cycles of the longer loops."""

from dataclasses import replace
from math import prod

import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.core_model.machine import machine_of
from allo_air.core_model.schedule import body_cycles
from allo_air.core_model.terms import Term, terms_of
from allo_air.mlir import ir, new_context

NEST = """func.func @f(%a: memref<{rows}x{columns}xf32>, %b: memref<{rows}xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = arith.constant {rows} : index
  %columns = arith.constant {columns} : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %rows step %c1 {{
    %x = memref.load %b[%i] : memref<{rows}xf32>
    %v = vector.broadcast %x : f32 to vector<16xf32>
    scf.for %j = %c0 to %columns step %c16 {{
      %y = vector.transfer_read %a[%i, %j], %zero {{in_bounds = [true]}} : memref<{rows}x{columns}xf32>, vector<16xf32>
      %z = arith.addf %y, %v : vector<16xf32>
      vector.transfer_write %z, %a[%i, %j] {{in_bounds = [true]}} : vector<16xf32>, memref<{rows}x{columns}xf32>
    }}
  }}
  return
}}"""


def terms(rows: int, columns: int, arch: str) -> tuple[list[Term], int]:
    """The terms of the nest for a size, and its cycles by the schedules."""
    machine = replace(machine_of(arch, compiled=True), loops={}, nodes={})
    module = asm.read(NEST.format(rows=rows, columns=columns), "<test>")
    [function] = walk_named(module.operation, "func.func")
    ops = [o.operation for o in function.regions[0].blocks[0].operations]
    whole = body_cycles(ops, machine)
    assert whole is not None
    return list(terms_of(ops, machine)), whole.cycles


@pytest.mark.parametrize("arch", ["AIE2", "AIE2p"])
def test_terms_hold_for_other_trip_counts(arch: str) -> None:
    with new_context(), ir.Location.unknown():
        some, cycles = terms(16, 512, arch)
        assert sum(term.cycles * prod(term.trips) for term in some) == cycles
        assert {len(term.trips) for term in some} == {0, 1, 2}
        assert [term.trips for term in some if term.is_innermost] == [(16, 32)]
        _, longer = terms(48, 1024, arch)
        sizes = {(): 1, (16,): 48, (16, 32): 48 * 64}
        assert sum(term.cycles * sizes[term.trips] for term in some) == longer


def test_branches_count_as_if_all_ran() -> None:
    text = """func.func @f(%p: i1, %a: memref<4xi32>, %x: i32) {
      %c0 = arith.constant 0 : index
      scf.if %p {
        memref.store %x, %a[%c0] : memref<4xi32>
      }
      return
    }"""
    with new_context(), ir.Location.unknown():
        machine = machine_of("AIE2", compiled=True)
        module = asm.read(text, "<test>")
        [function] = walk_named(module.operation, "func.func")
        ops = [o.operation for o in function.regions[0].blocks[0].operations]
        assert sum(term.cycles for term in terms_of(ops, machine)) >= machine.jump + machine.store
