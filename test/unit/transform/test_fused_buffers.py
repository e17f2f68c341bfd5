"""fuse_multi_op_linalg where one of the two operations is on buffers already."""

import re

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.mlir import ir
from allo_air.transform import read_script, run_script

ANY = "!transform.any_op"
PAYLOAD = """
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @f(%x: tensor<8x16xf32>, %t: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = math.exp %a : f32
    linalg.yield %b : f32
  } -> tensor<8x16xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%p : tensor<8x16xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  return %s : tensor<8xf32>
}
"""
SCRIPT = f"""
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%m: {ANY} {{transform.readonly}}) {{
    %g = transform.structured.match ops{{["linalg.generic"]}} in %m : ({ANY}) -> {ANY}
    %first, %second = transform.split_handle %g : ({ANY}) -> ({ANY}, {ANY})
    %buffer, %new = transform.structured.bufferize_to_allocation %BUFFERIZED {{memory_space = 2}} : {ANY}
    %h = transform.structured.match ops{{["linalg.generic"]}} in %m : ({ANY}) -> {ANY}
    %a, %b = transform.split_handle %h : ({ANY}) -> ({ANY}, {ANY})
    %fused = transform.air.fuse_multi_op_linalg %a, %b : ({ANY}, {ANY}) -> {ANY}
    transform.annotate %fused "fused" : {ANY}
    transform.yield
  }}
}}
"""


@pytest.mark.parametrize(
    ("bufferized", "takes"),
    [
        ("first", r"ins\(%arg0 : tensor<8x16xf32>\) outs\(%arg1 : tensor<8xf32>\)"),
        ("second", r"ins\(%\w+ : memref<8x16xf32>\) outs\(%\w+ : memref<8xf32, 2>\)"),
    ],
)
def test_one_is_on_buffers(bufferized: str, takes: str) -> None:
    with reused_context(), ir.Location.unknown():
        module = asm.read(PAYLOAD, "payload.mlir")
        run_script(read_script(SCRIPT.replace("BUFFERIZED", bufferized), "script.mlir"), module.operation)
        text = asm.write(module)
    assert re.search(takes + r" attrs =  \{fused\} \{\s*\^bb0\([^)]*\):\s*%\d+ = math.exp %in : f32\s*%\d+ = arith.addf", text)
