"""Every operation of arith and math runs in a core and in the interpreter, as a scalar and as vectors, against numpy."""

import inspect
import math

import numpy as np
import pytest

from allo_air.errors import DiagnosticError
from allo_air.interp.kernel import compiled, describe_array, invoke
from allo_air.mlir import arith, ir
from allo_air.mlir import math as math_dialect

N = 16
F = np.linspace(-1.4, 2.35, N).astype(np.float32)
G = np.linspace(3.1, -0.7, N).astype(np.float32)
I = np.array([-128, -37, -16, -5, -3, -2, -1, 1, 2, 3, 5, 7, 16, 64, 100, 127], np.int32)  # noqa: E741
J = np.array([3, -2, 5, 1, 7, 2, -4, 9, 3, -8, 2, 6, 5, 1, 2, 4], np.int32)
S = np.array([1, 2, 3, 4, 5, 0, 7, 1, 2, 3, 4, 5, 6, 7, 1, 2], np.int32)
U, V = I.view(np.uint32), J.view(np.uint32)

each = np.vectorize
NAMED = {"acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan, "atanh": np.arctanh}
NAMED |= {
    "absf": np.abs,
    "erf": each(math.erf),
    "erfc": each(math.erfc),
    "round": lambda x: np.copysign(np.floor(abs(x) + 0.5), x),
}
NAMED |= {"roundeven": np.round, "rsqrt": lambda x: 1 / np.sqrt(x)}
FLOATS = [*NAMED, "cbrt", "ceil", "cos", "cosh", "exp", "exp2", "expm1", "floor", "log", "log10", "log1p", "log2"]
FLOATS += ["sin", "sinh", "sqrt", "tan", "tanh", "trunc"]

# name: operands and types ({F}, {I}, {B}: f32, i32, i1 or vectors of them), type of the result, numpy
FLOAT_RULES = {f"math.{n}": ("%x : {F}", "F", lambda n=n: NAMED.get(n, getattr(np, n, None))(F.astype(float))) for n in FLOATS}
FLOAT_RULES |= {
    "math.atan2": ("%x, %y : {F}", "F", lambda: np.arctan2(F, G)),
    "math.copysign": ("%x, %y : {F}", "F", lambda: np.copysign(F, G)),
    "math.powf": ("%x, %y : {F}", "F", lambda: np.power(F.astype(float), G)),
    "math.fma": ("%x, %y, %x : {F}", "F", lambda: F * G + F),
    "math.clampf": ("%x to [%y, %y] : {F}", "F", lambda: G),
    "math.fpowi": ("%x, %j : {F}, {I}", "F", lambda: F.astype(float) ** J),
    "math.isfinite": ("%x : {F}", "B", lambda: np.isfinite(F)),
    "math.isinf": ("%x : {F}", "B", lambda: np.isinf(F)),
    "math.isnan": ("%x : {F}", "B", lambda: np.isnan(F)),
    "math.isnormal": ("%x : {F}", "B", lambda: F != 0),
    "arith.addf": ("%x, %y : {F}", "F", lambda: F + G),
    "arith.subf": ("%x, %y : {F}", "F", lambda: F - G),
    "arith.mulf": ("%x, %y : {F}", "F", lambda: F * G),
    "arith.divf": ("%x, %y : {F}", "F", lambda: F / G),
    "arith.remf": ("%x, %y : {F}", "F", lambda: np.fmod(F, G)),
    "arith.negf": ("%x : {F}", "F", lambda: -F),
    "arith.maximumf": ("%x, %y : {F}", "F", lambda: np.maximum(F, G)),
    "arith.minimumf": ("%x, %y : {F}", "F", lambda: np.minimum(F, G)),
    "arith.maxnumf": ("%x, %y : {F}", "F", lambda: np.fmax(F, G)),
    "arith.minnumf": ("%x, %y : {F}", "F", lambda: np.fmin(F, G)),
    "arith.flush_denormals": ("%x : {F}", "F", lambda: F),
    "arith.cmpf": ("ult, %x, %y : {F}", "B", lambda: F < G),
    "arith.fptosi": ("%x : {F} to {I}", "I", lambda: F.astype(np.int32)),
    "arith.bitcast": ("%x : {F} to {I}", "I", lambda: F.view(np.int32)),
    "arith.sitofp": ("%i : {I} to {F}", "F", lambda: I.astype(np.float32)),
    "arith.uitofp": ("%i : {I} to {F}", "F", lambda: U.astype(np.float32)),
}
INTEGER_RULES = {
    name: (f"{operands} : {{I}}", "I", result)
    for name, operands, result in (
        ("arith.addi", "%i, %j", lambda: I + J), ("arith.subi", "%i, %j", lambda: I - J),
        ("arith.muli", "%i, %j", lambda: I * J),
        ("arith.divsi", "%i, %j", lambda: np.trunc(I / J)), ("arith.remsi", "%i, %j", lambda: np.fmod(I, J)),
        ("arith.divui", "%i, %j", lambda: (U // V).view(np.int32)), ("arith.remui", "%i, %j", lambda: (U % V).view(np.int32)),
        ("arith.floordivsi", "%i, %j", lambda: I // J), ("arith.ceildivsi", "%i, %j", lambda: -(-I // J)),
        ("arith.ceildivui", "%i, %j", lambda: (-(-U.astype(np.int64) // V)).astype(np.int32)),
        ("arith.andi", "%i, %j", lambda: I & J), ("arith.ori", "%i, %j", lambda: I | J),
        ("arith.xori", "%i, %j", lambda: I ^ J),
        ("arith.shli", "%i, %s", lambda: I << S), ("arith.shrsi", "%i, %s", lambda: I >> S),
        ("arith.shrui", "%i, %s", lambda: (U >> S.view(np.uint32)).view(np.int32)),
        ("arith.maxsi", "%i, %j", lambda: np.maximum(I, J)), ("arith.minsi", "%i, %j", lambda: np.minimum(I, J)),
        ("arith.maxui", "%i, %j", lambda: np.maximum(U, V).view(np.int32)),
        ("arith.minui", "%i, %j", lambda: np.minimum(U, V).view(np.int32)),
        ("math.absi", "%i", lambda: np.abs(I)), ("math.ipowi", "%i, %s", lambda: I.astype(object) ** S),
        ("math.ctpop", "%i", lambda: [bin(n).count("1") for n in U.tolist()]),
        ("math.ctlz", "%i", lambda: [32 - n.bit_length() for n in U.tolist()]),
        ("math.cttz", "%i", lambda: [(n & -n).bit_length() - 1 for n in U.tolist()]),
    )
}  # fmt: skip
INTEGER_RULES |= {
    "arith.cmpi": ("slt, %i, %j : {I}", "B", lambda: I < J),
    "arith.select": ("%p, %i, %j : {B}, {I}", "I", lambda: np.where(I < J, I, J)),
}
PAIRS = {
    "math.sincos": ("%x : {F}", "F", lambda: np.sin(F)),
    "arith.addui_extended": ("%i, %j : {I}, {B}", "I", lambda: I + J),
    "arith.subui_extended": ("%i, %j : {I}, {B}", "I", lambda: I - J),
    "arith.mulsi_extended": ("%i, %j : {I}", "I", lambda: I * J),
    "arith.mului_extended": ("%i, %j : {I}", "I", lambda: I * J),
}
THERE_AND_BACK = {
    ("arith.truncf", "arith.extf"): ("F", "bf16"), ("arith.trunci", "arith.extsi"): ("I", "i8"),
    ("arith.trunci", "arith.extui"): ("I", "i16"), ("arith.index_cast", "arith.index_cast"): ("I", "index"),
    ("arith.index_castui", "arith.index_castui"): ("I", "index"),
}  # fmt: skip
ELSEWHERE = {"arith.constant", "arith.convertf", "arith.fptoui", "arith.scaling_extf", "arith.scaling_truncf"}
"""The constants of these programs, conversions that test_conversions has, and the scaling that is refused by name."""


def lines(lanes):
    """The operations with what stores their results, row by row, and the rows that are wanted."""
    kinds = {"F": "f32", "I": "i32", "B": "i1"}
    vectors = {k: f"vector<{lanes}x{t}>" if lanes > 1 else t for k, t in kinds.items()}
    body, wanted = ["%p = arith.cmpi slt, %i, %j : {I}".format(**vectors)], []

    def keep(value, kind, result):
        row = len(wanted)
        if kind == "B":
            body.append(f"%b{row} = arith.extui {value} : {vectors['B']} to {vectors['I']}")
            value, kind = f"%b{row}", "I"
        if kind == "F":
            body.append(f"%f{row} = arith.bitcast {value} : {vectors['F']} to {vectors['I']}")
            value = f"%f{row}"
        place = f"%out[%r{row}, %c0] : memref<128x{N}xi32>"
        body.append(f"%r{row} = arith.constant {row} : index")
        body.append(f"vector.store {value}, {place}, {vectors['I']}" if lanes > 1 else f"memref.store {value}, {place}")
        with np.errstate(all="ignore"):
            wanted.append((kind, np.asarray(result())[:lanes]))

    for name, (form, kind, result) in {**FLOAT_RULES, **INTEGER_RULES}.items():
        body.append(f"%v{len(wanted)} = {name} {form.format(**vectors)}")
        keep(f"%v{len(wanted)}", kind, result)
    for name, (form, kind, result) in PAIRS.items():
        body.append(f"%v{len(wanted)}, %w{len(wanted)} = {name} {form.format(**vectors)}")
        keep(f"%v{len(wanted)}", kind, result)
    for (there, back), (kind, narrow) in THERE_AND_BACK.items():
        row, small = len(wanted), f"vector<{lanes}x{narrow}>" if lanes > 1 else narrow
        body.append(f"%n{row} = {there} {'%x' if kind == 'F' else '%s'} : {vectors[kind]} to {small}")
        body.append(f"%v{row} = {back} %n{row} : {small} to {vectors[kind]}")
        keep(f"%v{row}", kind, lambda kind=kind: F.astype(np.float32) if kind == "F" else S)
    loads = []
    for name, buffer, kind in (("x", "f", "F"), ("y", "g", "F"), ("i", "i", "I"), ("j", "j", "I"), ("s", "s", "I")):
        place = f"%m{buffer}[%c0] : memref<{N}x{kinds[kind]}>"
        loads.append(f"%{name} = " + (f"vector.load {place}, {vectors[kind]}" if lanes > 1 else f"memref.load {place}"))
    return "\n".join(["%c0 = arith.constant 0 : index", *loads, *body]), wanted


def compare(found, wanted, lanes):
    for row, (kind, right) in enumerate(wanted):
        if kind == "F":
            tolerance = 1e-2 if row == len(wanted) - len(THERE_AND_BACK) else 2e-5  # the bf16 one
            np.testing.assert_allclose(found[row, :lanes].view(np.float32), right, rtol=tolerance, atol=1e-6, err_msg=str(row))
        else:
            same = (found[row, :lanes].astype(np.int64) & 0xFFFFFFFF) == np.array([int(n) & 0xFFFFFFFF for n in right])
            assert same.all(), (row, found[row, :lanes], right)


ARRAYS = {"mf": F, "mg": G, "mi": I, "mj": J, "ms": S}
TYPES = {name: f"memref<{N}x{'f32' if a.dtype == np.float32 else 'i32'}>" for name, a in ARRAYS.items()}


@pytest.mark.parametrize("lanes", [1, N])
def test_in_a_core(run, lanes):
    body, wanted = lines(lanes)
    buffers = [f"{name} : {kind}" for name, kind in TYPES.items()]
    ran = run(body, (*buffers, f"out : memref<128x{N}xi32>"), (*ARRAYS.values(), np.zeros(128 * N, np.int32)))
    compare(ran.view(len(TYPES), np.int32, 128 * N).reshape(128, N), wanted, lanes)


@pytest.mark.parametrize("lanes", [1, N])
def test_in_the_interpreter(lanes):
    body, wanted = lines(lanes)
    arguments = ", ".join(f"%{name}: {kind}" for name, kind in TYPES.items())
    head = f"func.func @kernel({arguments}, %out: memref<128x{N}xi32>) attributes {{llvm.emit_c_interface}} {{"
    kernel = compiled(f"{head}\n{body}\nreturn\n}}")
    assert not kernel.error
    out = np.zeros((128, N), np.int32)
    invoke(kernel, [describe_array(a) for a in (*ARRAYS.values(), out)])
    compare(out, wanted, lanes)


def test_no_operation_is_left_out():
    known = {*FLOAT_RULES, *INTEGER_RULES, *PAIRS, *(name for pair in THERE_AND_BACK for name in pair), *ELSEWHERE}
    classes = [c for module in (arith, math_dialect) for c in vars(module).values() if inspect.isclass(c)]
    names = {c.OPERATION_NAME for c in classes if issubclass(c, ir.OpView) and hasattr(c, "OPERATION_NAME")}
    assert {n for n in names if n.startswith(("arith.", "math."))} <= known


SCALED = "%q = arith.truncf %x : f64 to f32\n%r = arith.scaling_truncf %q, %q : f32, f32 to f8E4M3FN\n"
SCALED += "%b = arith.bitcast %r : f8E4M3FN to i8\nmemref.store %b, %o[%c0] : memref<1xi8>"


SCAN = "%m = vector.broadcast %x : f64 to vector<4x4xf64>\n%z = vector.broadcast %x : f64 to vector<4xf64>\n"
SCAN += "%n:2 = vector.scan <add>, %m, %z {inclusive = true, reduction_dim = 1 : i64} : vector<4x4xf64>, vector<4xf64>"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("%r = arith.truncf %x : f64 to bf16", "'arith.truncf' op rounds f64 to bf16 in one step"),
        (SCALED, "'arith.scaling_truncf' op is of scaled 8-bit floats"),
        ("%r = vector.vscale", "'vector.vscale' op is of scalable vectors"),
        (SCAN, "'vector.scan' op is not lowered"),
    ],
)
def test_what_does_not_run_is_refused_by_name(run, body, said):
    load = "%c0 = arith.constant 0 : index\n%x = memref.load %a[%c0] : memref<1xf64>"
    with pytest.raises(DiagnosticError, match=said):
        run(f"{load}\n{body}", ("a : memref<1xf64>", "o : memref<1xi8>"), (np.zeros(1), np.zeros(1, np.int8)))


def test_conversions(run):
    body = """
    %c0 = arith.constant 0 : index
    %x = vector.load %a[%c0] : memref<16xf32>, vector<16xf32>
    %u = arith.fptoui %x : vector<16xf32> to vector<16xi32>
    %h = arith.truncf %x : vector<16xf32> to vector<16xf16>
    %b = arith.convertf %h : vector<16xf16> to vector<16xbf16>
    %m = math.fma %b, %b, %b : vector<16xbf16>
    vector.store %u, %o[%c0] : memref<16xi32>, vector<16xi32>
    vector.store %m, %p[%c0] : memref<16xbf16>, vector<16xbf16>
    """
    x = np.arange(16, dtype=np.float32)
    empty = np.zeros(16, np.int32), np.zeros(16, np.uint16)
    ran = run(body, ("a : memref<16xf32>", "o : memref<16xi32>", "p : memref<16xbf16>"), (x, *empty))
    assert (ran.view(1, np.int32, 16) == x).all()
    assert ((ran.view(2, np.uint16, 16).astype(np.uint32) << 16).view(np.float32) == x * x + x).all()
