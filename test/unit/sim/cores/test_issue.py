"""Code without vectors, divisions and permutations cost what the units make of them."""

import pytest

from allo_air.errors import DiagnosticError

C = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c64 = arith.constant 64 : index\n"


def cycles(run, body: str, kind: str = "i32", device: str = "npu1") -> int:
    """Of 64 turns of `body`, which makes %r of %x and %y."""
    ran = run(
        C + f"scf.for %i = %c0 to %c64 step %c1 {{\n%x = memref.load %a[%i] : memref<64x{kind}>\n"
        f"%y = memref.load %b[%i] : memref<64x{kind}>\n{body}\nmemref.store %r, %c[%i] : memref<64x{kind}>\n}}",
        tuple(f"{n} : memref<64x{kind}>" for n in "abc"),
        device=device,
    )
    [region] = [r for r in ran.compiled.regions if r.op == "scf.for"]
    return int(region.cycles)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_one_scalar_is_loaded_in_a_cycle(run, device):
    assert cycles(run, "%r = arith.addi %x, %y : i32", device=device) == 63 * 2 + 1 + 6 + 1 + 2


def test_divisions_are_loops_but_by_constants(run):
    divide = "%r = arith.divsi %x, {} : i32"
    by = {n: cycles(run, f"%k = arith.constant {n} : i32\n" + divide.format("%k")) for n in (8, 10)}
    unknown = cycles(run, divide.format("%y"))
    plain = cycles(run, "%r = arith.subi %x, %y : i32")
    assert by[8] < plain < by[10] < unknown
    assert unknown > 64 * 32


def test_an_index_is_divided_like_a_number(run):
    body = "%k = arith.constant {} : index\n%q = arith.remui %i, %k : index\n%n = arith.index_cast %q : index to i32\n"
    power, other = (cycles(run, body.format(n) + "%r = arith.addi %n, %y : i32") for n in (8, 10))
    assert power < other


def test_floating_point_scalars_are_slower_than_integers(run):
    add = {kind: cycles(run, f"%r = arith.{op} %x, %y : {kind}", kind) for kind, op in (("i32", "muli"), ("f32", "mulf"))}
    assert add["f32"] > 64 * 9 > add["i32"]


@pytest.mark.parametrize(("shape", "stages"), [((8, 8), 1), ((16, 16), 2), ((32, 32), 4)])
def test_a_permutation_of_n_registers_takes_log2_n_stages(run, shape, stages):
    m, n = shape
    ran = run(
        "%c0 = arith.constant 0 : index\n%z = arith.constant 0 : i8\n"
        f"%v = vector.transfer_read %a[%c0, %c0], %z {{in_bounds = [true, true]}} : memref<{m}x{n}xi8>, vector<{m}x{n}xi8>\n"
        f"%u = vector.transpose %v, [1, 0] : vector<{m}x{n}xi8> to vector<{n}x{m}xi8>\n"
        f"vector.transfer_write %u, %b[%c0, %c0] {{in_bounds = [true, true]}} : vector<{n}x{m}xi8>, memref<{n}x{m}xi8>",
        (f"a : memref<{m}x{n}xi8>", f"b : memref<{n}x{m}xi8>"),
    )
    [region] = [r for r in ran.compiled.regions if r.loads]
    registers, transfers = max(1, m * n // 64), m * n // 32
    load, store = 7 + (transfers - 1) // 2, 2 + transfers - 1
    assert region.cycles == load + (2 * stages + registers - 1) + store


REFUSED = [
    (
        "%v = bufferization.to_tensor %b : memref<4xi32> to tensor<4xi32>\n%e = tensor.extract %v[%c0] : tensor<4xi32>\n"
        "memref.store %e, %b[%c0] : memref<4xi32>",
        "'bufferization.to_tensor' op cannot be compiled for the host",
    ),
    (
        "%e = func.call @f(%c0) : (index) -> i32\nmemref.store %e, %b[%c0] : memref<4xi32>",
        "'func.call' op calls 'f' from within itself",
    ),
]
RECURSIVE = "func.func private @f(%i : index) -> i32 {\n%r = func.call @f(%i) : (index) -> i32\nreturn %r : i32\n}"


@pytest.mark.parametrize(("body", "message"), REFUSED, ids=["tensor", "recursion"])
def test_what_no_core_can_run_is_an_error_at_its_operation(run, body, message):
    with pytest.raises(DiagnosticError) as error:
        run(f"%c0 = arith.constant 0 : index\n{body}", ("b : memref<4xi32>",), outside=RECURSIVE)
    [found] = error.value.diagnostics
    assert message in found.message
    assert found.file == "core.mlir" and found.line > 4
