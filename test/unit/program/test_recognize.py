"""What a file is, by its operations: spellings, names and comments that look like something else do not count."""

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.program.matmul import Matmul
from allo_air.program.source import Source, default_pipeline, source_of
from allo_air.program.stage import run_stage

HERD = """
func.func @f(%a: memref<4xi32, 2>) {{
  %c1 = arith.constant 1 : index
  air.herd {name} tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%i = %a) : memref<4xi32, 2> {{
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : i32
    memref.store %c7, %i[%c0] : memref<4xi32, 2>
  }}
  return
}}
"""
SEQUENCE = "aie.device(npu1) {{\n  {}(%a: memref<4xi32>) {{}}\n}}"


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("func.func @f(%a: tensor<4xf32>) {\n  return\n}", "linalg"),
        ("func.func @f(%a: memref<4xf32>) {\n  return\n}", "tiled"),
        ('func.func @"tensor<4xf32>"(%a: memref<4xf32>) attributes {like = "air.channel"} {\n  return\n}', "tiled"),
        ("!vec = tensor<4xf32>\nfunc.func @f(%a: !vec) {\n  return\n}", "linalg"),
        ("// air.channel tensor<\n" + HERD.format(name=""), "air"),
        (HERD.format(name='@"aie.device"'), "air"),
        ("air.channel @c [1, 1]\n" + HERD.format(name="@h"), "channel"),
        ('"air.channel"() {sym_name = "c", size = [1, 1]} : () -> ()', "channel"),
        ("aie.device(npu1) {\n  aie.tile(0, 2)\n}", "aie"),
        ("AIE.device(ipu) {\n  %t = AIE.tile(0, 2)\n}", "aie"),
        ('"aie.device"() <{device = 4 : i32, sym_name = "main"}> ({\n  "aie.end"() : () -> ()\n}) : () -> ()', "aie"),
        (SEQUENCE.format("aiex.runtime_sequence"), "npu"),
        (SEQUENCE.format("AIEX.runtime_sequence"), "npu"),
        (SEQUENCE.format("aie.runtime_sequence @f"), "npu"),
    ],
)
def test_level_by_the_operations(text: str, level: str) -> None:
    assert Source(text, "f.mlir").level == level


def test_a_herd_with_the_name_of_a_device_runs_on_the_interpreter() -> None:
    done = run_stage(Source(HERD.format(name='@"aie.device"'), "h.mlir"), arrays=[np.zeros(4, np.int32)])
    assert done.level == "air"
    assert done.outputs[0][1].tolist() == [7, 0, 0, 0]


C = "tensor<4x5xf32>"


def test_a_matmul_in_a_file_is_recognized_and_others_are_not() -> None:
    text = Matmul(4, 5, 6).text
    assert Source(text, "f").matmul == Matmul(4, 5, 6)
    aliased = "!a = tensor<4x6xbf16>\n" + text.replace("tensor<4x6xbf16>", "!a").replace("@gemm", '@"linalg.exp"')
    assert Source(aliased, "f").matmul == Matmul(4, 5, 6)
    for before, after in [
        ("arith.constant 0.0", "arith.constant 1.0"),
        ("linalg.matmul", "linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}"),
        ("return %c", "return %init"),
        ("return %c", f"%d = linalg.exp ins(%c : {C}) outs(%init : {C}) -> {C}\n  return %d"),
    ]:
        assert Source(text.replace(before, after), "f").matmul is None, after
    square = Matmul(4, 4, 4, "i8").text
    assert Source(square.replace("ins(%a, %b", "ins(%b, %a"), "f").matmul is None
    assert Source(square.replace("outs(%init", "outs(%empty"), "f").matmul is None
    maps = "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>"
    transposed = square.replace("linalg.matmul", f"linalg.matmul indexing_maps = [{maps}]")
    assert Source(transposed, "f").matmul is None


T = """
func.func @f(%a: {a}, %b: {b}) -> {c} {{
  %z = arith.constant {zero} : {sum}
  %e = tensor.empty() : {c}
  %i = linalg.fill ins(%z : {sum}) outs(%e : {c}) -> {c}
  %r = {op} ins(%a, %b : {a}, {b}) outs(%i : {c}) -> {c}
  return %r : {c}
}}
"""


@pytest.mark.parametrize(
    ("op", "a", "b", "c", "pipeline"),
    [
        ("linalg.matmul", "4x6xi8", "6x5xi8", "4x5xi32", "gemm-i8"),
        ("linalg.matmul {note = \"ins(%x : tensor<4xf32>)\"}", "4x6xbf16", "6x5xbf16", "4x5xf32", "gemm-bf16"),
        ("linalg.batch_matmul", "2x4x6xi16", "2x6x5xi16", "2x4x5xi32", "gemm-i16"),
        ("linalg.matmul {cast = #linalg.type_fn<cast_signed>}\n", "4x6xi32", "6x5xi32", "4x5xi32", "gemm-i32"),
    ],
)  # fmt: skip
def test_a_matmul_names_its_pipeline(op: str, a: str, b: str, c: str, pipeline: str) -> None:
    kind = c.rpartition("x")[2]
    zero = "0.0" if kind[0] == "f" else "0"
    text = T.format(op=op, a=f"tensor<{a}>", b=f"tensor<{b}>", c=f"tensor<{c}>", sum=kind, zero=zero)
    assert default_pipeline(source_of(text)) == pipeline


def test_a_matmul_between_reshapes_is_one_of_several_operations() -> None:
    text = """func.func @f(%a: tensor<4x2x3xf32>, %b: tensor<6x5xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %x = tensor.collapse_shape %a [[0], [1, 2]] : tensor<4x2x3xf32> into tensor<4x6xf32>
  %r = linalg.matmul ins(%x, %b : tensor<4x6xf32>, tensor<6x5xf32>) outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}"""
    assert default_pipeline(source_of(text)) == "npu"


def test_a_matmul_with_constant_weights_goes_where_constants_do() -> None:
    text = """func.func @f(%a: tensor<4x6xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %b = arith.constant dense<1.5> : tensor<6x5xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x6xf32>, tensor<6x5xf32>) outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}"""
    assert default_pipeline(source_of(text)) == "npu"


@pytest.mark.parametrize(
    ("operation", "a", "b", "c", "pipeline"),
    [
        ("matmul", "4x6", "6x5", "4x5", "gemm-f32"),
        ("matvec", "4x6", "6", "4", "gemm-f32"),
        ("dot", "6", "6", "", "npu"),
        ("batch_reduce_matmul", "3x4x6", "3x6x5", "4x5", "npu"),
        ("mmt4d", "2x3x4x4", "5x3x4x4", "2x5x4x4", "npu"),
    ],
)
def test_products_that_are_none_of_two_matrices_go_the_general_way(
    operation: str, a: str, b: str, c: str, pipeline: str
) -> None:
    given, other, made = (f"tensor<{shape}{'x' if shape else ''}f32>" for shape in (a, b, c))
    text = T.format(op=f"linalg.{operation}", a=given, b=other, c=made, sum="f32", zero="0.0")
    assert default_pipeline(source_of(text)) == pipeline


CARRIED = """func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a) -> (tensor<4x8xf32>) {{
    {body}
    scf.yield %y : tensor<4x8xf32>
  }}
  return %r : tensor<4x8xf32>
}}"""


@pytest.mark.parametrize(
    ("body", "pipeline"),
    [
        ("%y = tensor.insert_slice %b into %x[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>", "tiled-npu"),
        ("%y = math.tanh %x : tensor<4x8xf32>", "npu"),
    ],
)
def test_a_loop_is_over_tiles_where_it_changes_tensors_in_place(body: str, pipeline: str) -> None:
    assert default_pipeline(source_of(CARRIED.format(body=body))) == pipeline


def test_what_is_no_matmul_names_none() -> None:
    assert default_pipeline(source_of(HERD.format(name="@linalg.matmul"))) == "air-npu"
    with pytest.raises(AlloAirError, match="<text>: there is nothing to compile"):
        default_pipeline(source_of("func.func @linalg.matmul(%a: tensor<4xi32>) {\n  return\n}"))
    with pytest.raises(AlloAirError, match=r"<text>:2:3: error: Dialect .foo. not found"):
        allo_air.compile("func.func @f() {\n  foo.bar linalg.matmul ins(%a, %b : tensor<4x4xi8>)\n}")


LOOP = """func.func @f(%a: {kind}) {{
  scf.forall (%i) in (4) {{
    %c = arith.constant 1.0 : f32
    {body}
  }}
  return
}}"""


@pytest.mark.parametrize(
    ("text", "pipeline"),
    [
        (LOOP.format(kind="memref<4xf32>", body="memref.store %c, %a[%i] : memref<4xf32>"), "tiled-npu"),
        (LOOP.format(kind="tensor<4xf32>", body="%x = tensor.extract %a[%i] : tensor<4xf32>"), "tiled-npu"),
        (
            "func.func @f(%a: memref<4xf32>) {\n  linalg.exp ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)\n  return\n}",
            "npu",
        ),
        ("aie.device(npu1) {\n  aie.tile(0, 2)\n}", ""),
        (
            LOOP.format(
                kind="memref<4xf32>",
                body="%l = memref.alloc() : memref<4xf32, 2>\n"
                "    air.dma_memcpy_nd (%l[] [] [], %a[] [] []) : (memref<4xf32, 2>, memref<4xf32>)",
            ),
            "tiled-npu",
        ),
    ],
)
def test_the_pipeline_that_fits(text: str, pipeline: str) -> None:
    assert default_pipeline(source_of(text)) == pipeline


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "func.func @f(%b: tensor<4xf32>, %a: tensor<?x4xf32>) -> tensor<4xf32> {\n  return %b : tensor<4xf32>\n}",
            r"<text>:1:10: error: 'func.func' op cannot be compiled: argument 1 of @f is tensor<\?x4xf32>",
        ),
        (
            "func.func @f(%a: memref<4xf32>) {\n  %c = arith.constant 1 : index\n  gpu.barrier\n  return\n}",
            r"<text>:3:3: error: 'gpu.barrier' op is of the dialect 'gpu', which no pipeline takes",
        ),
    ],
)
def test_what_fits_no_pipeline_is_named(text: str, message: str) -> None:
    with pytest.raises(AlloAirError, match=message):
        allo_air.compile(text)


def test_a_source_is_parsed_once(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    from allo_air import asm

    count, read = [], asm.read
    monkeypatch.setattr(asm, "read", lambda *given, **more: count.append(1) or read(*given, **more))
    text = Matmul(8, 8, 8, "i32").text
    program = allo_air.compile(text, cache=False)
    assert program.pipeline == "gemm-i32"
    assert program.macs == 512
    assert len(count) == 1


ADDS = """
!c = tensor<{m}x{n}x{s}>
func.func @f(%a: tensor<{m}x{k}x{t}>, %b: tensor<{k}x{n}x{t}>, %c: !c) -> !c {{
  %d = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{t}>, tensor<{k}x{n}x{t}>) outs(%c : !c) -> !c
  return %d : !c
}}"""


def test_a_matmul_that_adds_goes_where_adding_may_be_a_kernel_of_its_own() -> None:
    assert default_pipeline(source_of(ADDS.format(m=100, n=64, k=100, t="bf16", s="f32"))) == "npu"


def test_a_long_sum_is_added_to_what_is_given() -> None:
    rng = np.random.default_rng(0)
    a, b, c = (rng.integers(-9, 9, s).astype(t) for s, t in (((5, 30011), "i1"), ((30011, 6), "i1"), ((5, 6), "i4")))
    program = allo_air.compile(ADDS.format(m=5, n=6, k=30011, t="i8", s="i32"))
    assert (program(a, b, c) == c + a.astype("i4") @ b.astype("i4")).all()
    with pytest.raises(AlloAirError, match="or compile with pipeline npu"):
        allo_air.compile(ADDS.format(m=5, n=6, k=30011, t="i8", s="i32"), pipeline="gemm-i8")


RTP = """aie.device(npu1_1col) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %r = aie.buffer(%t) {sym_name = "rtp" ADDRESS} : memref<4xi32>
  aie.runtime_sequence(%z: memref<4xi32>) {
    aiex.npu.rtp_write(@rtp, 1, 42)
    aiex.npu.write32 {address = 0 : ui32, value = 7 : ui32, buffer = @rtp}
  }
}"""


@pytest.mark.parametrize(("address", "pipeline"), [("", "aie-prepare"), (", address = 4096 : i32", "")])
def test_a_design_whose_words_need_addresses_gets_them(address: str, pipeline: str) -> None:
    assert default_pipeline(source_of(RTP.replace("ADDRESS", address))) == pipeline


def test_a_task_on_a_buffer_needs_its_address() -> None:
    task = """%t0 = aiex.dma_configure_task(%t, MM2S, 0) {
      aie.dma_bd(%r : memref<4xi32>, 0, 4) {bd_id = 0 : i32}
      aie.end
    }
    aiex.dma_start_task(%t0)"""
    text = RTP.replace("ADDRESS", "").replace("aiex.npu.rtp_write(@rtp, 1, 42)", task)
    text = "\n".join(line for line in text.splitlines() if "write32" not in line)
    assert default_pipeline(source_of(text)) == "aie-prepare"
