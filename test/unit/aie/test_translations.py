"""Pipelines and translations that programs call on their modules."""

import struct

import pytest

from allo_air.aie import ir
from allo_air.aie.dialects import aie
from allo_air.aie.extras.context import mlir_mod_ctx
from allo_air.aie.extras.runtime.passes import Pipeline, run_pipeline
from allo_air.errors import AlloAirError
from allo_air.tools import allo_translate

DESIGN = """
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %m = aie.tile(0, 1)
  aie.objectfifo @f(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.runtime_sequence @q() {
    %a = arith.constant 4096 : i32
    %v = arith.constant 7 : i32
    aiex.npu.write32(%a, %v) : i32, i32
  }
}"""


def test_a_pipeline_is_the_text_of_its_methods():
    inner = Pipeline().aie_objectFifo_stateful_transform(packet_sw_objFifos=True).cse()
    text = str(Pipeline().canonicalize().Nested("aie.device", inner) + Pipeline().add_pass("cse"))
    device = "aie.device(aie-objectFifo-stateful-transform{packet-sw-objFifos=true},cse)"
    assert text == f"builtin.module(canonicalize,{device},cse)"
    assert inner.materialize(module=False) == "aie-objectFifo-stateful-transform{packet-sw-objFifos=true},cse"


def test_run_pipeline_returns_the_module():
    with mlir_mod_ctx(DESIGN) as ctx:
        passes = Pipeline().Nested("aie.device", Pipeline().aie_objectFifo_stateful_transform().aie_assign_lock_ids())
        assert run_pipeline(ctx.module, passes) is ctx.module
        assert "aie.lock(%tile_0_2, 0)" in str(ctx.module)
        with pytest.raises(AlloAirError, match="no-such-pass"):
            run_pipeline(ctx.module, Pipeline().no_such_pass())


def test_words_are_those_of_the_tool(tmp_path):
    source, target = tmp_path / "a.mlir", tmp_path / "a.bin"
    source.write_text(DESIGN)
    assert allo_translate.main([str(source), "--aie-npu-to-binary", "-o", str(target)]) == 0
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(DESIGN)
        words = aie.translate_npu_to_binary(module.operation, "", "q")
    assert struct.pack(f"<{len(words)}I", *words) == target.read_bytes()
    assert 7 in words


def test_llvm_ir_of_the_llvm_dialect():
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse("llvm.func @f(%a: i32) -> i32 { llvm.return %a : i32 }")
        assert "define i32 @f(i32 %0)" in aie.translate_mlir_to_llvmir(module.operation)


def test_the_configuration_is_written(tmp_path):
    with mlir_mod_ctx("aie.device(npu2) {\n%t = aie.tile(0, 2)\naie.lock(%t, 0) {init = 1 : i32}\n}") as ctx:
        aie.generate_cdo(ctx.module.operation, tmp_path)
        transaction = aie.generate_txn(ctx.module.operation, tmp_path)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".bin"] * 3
    assert len(transaction) % 4 == 0 and len(transaction) > 16
