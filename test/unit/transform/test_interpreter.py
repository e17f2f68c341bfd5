"""Scripts with transform.air operations: control flow, handles, passes by name, library sequences, errors."""

from pathlib import Path
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.transform import read_script, run_script

PAYLOAD = """
func.func @f(%a: memref<8xf32>, %b: memref<8xf32, 1>, %x: vector<8xf32>) -> (vector<8xf32>, vector<8xf32>) {
  memref.copy %a, %b : memref<8xf32> to memref<8xf32, 1>
  memref.copy %b, %a : memref<8xf32, 1> to memref<8xf32>
  %e = math.exp %x : vector<8xf32>
  %n = arith.negf %e : vector<8xf32>
  return %e, %n : vector<8xf32>, vector<8xf32>
}
"""
ANY = "(!transform.any_op) -> !transform.any_op"
TWO = "> (!transform.any_op, !transform.any_op)"
MATCH = f'%copies = transform.structured.match ops{{["memref.copy"]}} in %m : {ANY}\n'
FUNC = f'%f = transform.structured.match ops{{["func.func"]}} in %m : {ANY}\n'


def script(body: str, others: str = "") -> str:
    return (
        "module attributes {transform.with_named_sequence} {\n"
        f"transform.named_sequence @__transform_main(%m: !transform.any_op) {{\n{body}transform.yield\n}}\n{others}}}\n"
    )


def run(text: str, library: str = "") -> str:
    with reused_context(), ir.Location.unknown():
        module = asm.read(PAYLOAD, "payload.mlir")
        run_script(read_script(text, "script.mlir", library), module.operation)
        return asm.write(module)


CAST = f"%c = transform.air.vector_type_cast %op {{target_element_type = bf16}} : {ANY}\n"


def matching(name: str, operation: str) -> str:
    return (
        f"transform.named_sequence @{name}(%op: !transform.any_op {{transform.readonly}}) -> !transform.any_op {{\n"
        f'transform.match.operation_name %op ["{operation}"] : !transform.any_op\ntransform.yield %op : !transform.any_op\n}}\n'
    )


TO_BF16 = f"transform.named_sequence @narrow(%op: !transform.any_op {{transform.consumed}}) {{\n{CAST}transform.yield\n}}\n"


def test_foreach_gives_each_operation_and_joins_what_it_yields() -> None:
    body = MATCH + (
        "%d = transform.foreach %copies : !transform.any_op -> !transform.any_op {\n^bb0(%one: !transform.any_op):\n"
        f"%dma = transform.air.copy_to_dma %one : {ANY}\ntransform.yield %dma : !transform.any_op\n}}\n"
        'transform.annotate %d "made" : !transform.any_op\n'
    )
    text = run(script(body))
    assert text.count("air.dma_memcpy_nd") == 2
    assert text.count("made") == 2


def test_foreach_match_acts_on_each_match() -> None:
    others = matching("is_exp", "math.exp") + matching("is_neg", "arith.negf") + TO_BF16
    body = f"%r = transform.foreach_match in %m @is_exp -> @narrow, @is_neg -> @narrow : {ANY}\n"
    text = run(script(body.replace("%m", "%f", 1).join([FUNC, ""]), others))
    assert "math.exp %" in text and text.count(": vector<8xbf16>\n") == 2


def test_copies_that_are_targets_are_what_they_became() -> None:
    body = FUNC + MATCH + f"%l = transform.air.convert_memref_copy_to_linalg_copy %copies : {ANY}\n"
    text = run(script(body + 'transform.annotate %l "made" : !transform.any_op\n'))
    assert text.count("linalg.copy {made}") == 2


def test_errors_of_mlirs_operations_name_the_line_of_the_script() -> None:
    body = MATCH + f"%one, %two = transform.split_handle %copies : {ANY.replace('> !transform.any_op', TWO)}\n"
    body += f"%e = transform.loop.fuse_sibling %one into %two : {ANY.replace('(', '(!transform.any_op, ')}\n"
    with pytest.raises(AlloAirError, match=r"'transform.loop.fuse_sibling' op failed: ") as wrong:
        run(script(body))
    first = wrong.value.diagnostics[0]
    assert (first.file, first.line, first.notes[0].file) == ("script.mlir", 5, "payload.mlir")


def test_alternatives_restore_the_scope() -> None:
    body = FUNC + (
        "%r = transform.alternatives %f : !transform.any_op -> !transform.any_op {\n^bb0(%s: !transform.any_op):\n"
        f'%c = transform.structured.match ops{{["memref.copy"]}} in %s : {ANY}\n%d = transform.air.copy_to_dma %c : {ANY}\n'
        f'%w = transform.structured.match ops{{["math.exp"]}} in %s : {ANY}\n%x = transform.air.copy_to_dma %w : {ANY}\n'
        "transform.yield %s : !transform.any_op\n}, {\n^bb0(%s: !transform.any_op):\n"
        f"%l = transform.air.convert_memref_copy_to_linalg_copy %s : {ANY}\ntransform.yield %l : !transform.any_op\n}}\n"
        'transform.annotate %r "second" : !transform.any_op\n'
    )
    text = run(script(body))
    assert text.count("linalg.copy") == 2 and "dma" not in text and "second" in text


@pytest.mark.parametrize("mode", ["propagate", "suppress"])
def test_include_hands_failures_on_or_not(mode: str) -> None:
    other = (
        "transform.named_sequence @wrong(%m: !transform.any_op {transform.readonly}) {\n"
        f'%e = transform.structured.match ops{{["math.exp"]}} in %m : {ANY}\n%d = transform.air.copy_to_dma %e : {ANY}\n'
        "transform.yield\n}\n"
    )
    body = f"transform.include @wrong failures({mode}) (%m) : (!transform.any_op) -> ()\n" + MATCH
    body += f"%d = transform.air.copy_to_dma %copies : {ANY}\n"
    if mode == "suppress":
        assert run(script(body, other)).count("dma_memcpy_nd") == 2
        return
    with pytest.raises(AlloAirError, match=r"op expects memref\.copy, found math\.exp") as wrong:
        run(script(body, other))
    assert wrong.value.diagnostics[0].line == 10
    assert wrong.value.diagnostics[0].notes[0].file == "payload.mlir"


def test_a_handle_into_what_was_used_up_is_kept_where_it_was_left() -> None:
    body = FUNC + MATCH + f"%g = transform.air.remove_uninitialized_copy %f : {ANY}\n"
    body += f"%d = transform.air.copy_to_dma %copies : {ANY}\n"
    assert run(script(body)).count("dma_memcpy_nd") == 2
    with pytest.raises(AlloAirError, match=r"'transform.annotate' op uses a handle invalidated by a previously"):
        run(script(body + 'transform.annotate %f "used" : !transform.any_op\n'))


def test_a_handle_to_what_was_replaced_is_refused() -> None:
    body = MATCH + MATCH.replace("%copies", "%same") + f"%d = transform.air.copy_to_dma %copies : {ANY}\n"
    body += f"%e = transform.air.copy_to_dma %same : {ANY}\n"
    with pytest.raises(AlloAirError, match="uses a handle invalidated by a previously executed transform op") as wrong:
        run(script(body))
    assert wrong.value.diagnostics[0].line == 6
    assert wrong.value.diagnostics[0].notes[0].line == 5


def test_a_handle_used_up_by_an_operation_of_mlir_is_refused() -> None:
    body = FUNC + MATCH + f"%g = transform.bufferization.one_shot_bufferize %f : {ANY}\n"
    body += f"%d = transform.air.copy_to_dma %copies : {ANY}\n"
    with pytest.raises(AlloAirError, match=r"'transform.air.copy_to_dma' op uses a handle invalidated") as wrong:
        run(script(body))
    assert wrong.value.diagnostics[0].line == 6


def test_handles_follow_what_a_rewrite_leaves() -> None:
    body = f'%e = transform.structured.match ops{{["math.exp"]}} in %m : {ANY}\n' + MATCH
    body += f'%d = transform.air.copy_to_dma %copies : {ANY}\ntransform.annotate %e "still" : !transform.any_op\n'
    assert "math.exp %arg2 {still}" in run(script(body))


def test_passes_of_this_library_run_by_name() -> None:
    body = f'%r = transform.apply_registered_pass "air-copy-to-dma" to %m : {ANY}\n'
    body += '%s = transform.apply_registered_pass "air-override-memref-memory-space" with options = {"scope" = "func", '
    body += f'"memory-space" = 1 : i32}} to %r : {ANY}\n'
    assert run(script(body)).count("air.dma_memcpy_nd") == 2


def test_sequences_that_are_not_defined_come_from_the_library(tmp_path: Path) -> None:
    body = "transform.include @post_bufferize_cleanup failures(propagate) (%m) : (!transform.any_op) -> ()\n"
    assert "memref.copy" in run(script(body))
    own = "transform.named_sequence @post_bufferize_cleanup(%m: !transform.any_op {transform.readonly}) {\n" + MATCH
    own += f"%d = transform.air.copy_to_dma %copies : {ANY}\ntransform.yield\n}}\n"
    (tmp_path / "mine.mlir").write_text(f"module attributes {{transform.with_named_sequence}} {{\n{own}}}\n")
    assert run(script(body), str(tmp_path)).count("dma_memcpy_nd") == 2
    with pytest.raises(AlloAirError, match="no such folder"):
        run(script(body), str(tmp_path / "absent"))


def test_every_sequence_of_the_library_reads() -> None:
    from allo_air.transform import library

    with ir.Context() as context, ir.Location.unknown():
        read_script(script(""), "x.mlir")
        names = [name for path in library._files("") for name in library._sequences(path)]
        assert context is not None
    assert {"cast_bf16_only_ops", "air_herd_mapping_with_extern_and_vectorize", "pad_and_promote_binary_f32"} <= set(names)


def test_misspelt_operations_are_errors_at_their_place() -> None:
    with pytest.raises(AlloAirError) as wrong:
        run(script(f"%x = transform.air.par_to_heard %m : {ANY}\n"))
    first: Any = wrong.value.diagnostics[0]
    assert (first.file, first.line) == ("script.mlir", 3)


STRIDED = """
#id = affine_map<(i, j, k) -> (i, j, k)>
func.func @f(%x: memref<4x8x16xf32>, %y: memref<1x8x16xf32>, %n: index) {
  %s = memref.subview %x[%n, 0, 0] [1, 8, 16] [1, 1, 1]
    : memref<4x8x16xf32> to memref<1x8x16xf32, strided<[128, 16, 1], offset: ?>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"], marked}
    ins(%y : memref<1x8x16xf32>) outs(%s : memref<1x8x16xf32, strided<[128, 16, 1], offset: ?>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
"""


@pytest.mark.parametrize("beside", ["", "transform.apply_patterns.canonicalization"])
@pytest.mark.parametrize("way", ["reshapes", "slices"])
def test_extents_of_1_are_folded_in_operations_on_strided_buffers(way: str, beside: str) -> None:
    pattern = f"transform.apply_patterns.linalg.fold_unit_extent_dims_via_{way}"  # MLIR's does not end on them
    body = f'{FUNC}%g = transform.structured.match ops{{["linalg.generic"]}} in %m : {ANY}\n'
    body += f"transform.apply_patterns to %f {{\n{beside}\n{pattern}\n}} : !transform.any_op\n"
    body += 'transform.annotate %g "still" : !transform.any_op\n'
    with reused_context(), ir.Location.unknown():
        module = asm.read(STRIDED, "payload.mlir")
        run_script(read_script(script(body), "script.mlir"), module.operation)
        text = asm.write(module)
    assert "outs(%subview_0 : memref<8x16xf32, strided<[16, 1], offset: ?>>) attrs =  {marked, still}" in text
