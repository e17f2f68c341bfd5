"""The driver and the helpers for passes: order, failures, dumps, timings, reproducers, schedules, walking."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from allo_air.asm.verifier import Verifier
from allo_air.core import driver
from allo_air.core.diagnostics import error_at, position
from allo_air.core.driver import InternalError, PassFailure, Settings
from allo_air.core.pass_ import Pass
from allo_air.core.pipeline import Pipeline, Step, parse
from allo_air.core.registry import Registry
from allo_air.core.schedule import schedule, script_pass
from allo_air.core.walking import ancestor_in, parents, walk, walk_named, walk_post_order, walk_pre_order
from allo_air.errors import AlloAirError, PassError
from allo_air.mlir import arith, func, ir

pytestmark = pytest.mark.usefixtures("context")

MATMUL = """
func.func @matmul(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
"""
ADDS = """
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
module @inner { func.func @g() { return } }
"""


@dataclass(frozen=True)
class Call(Pass):
    """Calls a function on the operation."""

    name = "call"

    def run(self, op: Any, /) -> None:
        self.action(op)

    @staticmethod
    def action(op: Any) -> None: ...


def call(action: Callable[[Any], Any], anchor: str = "any") -> Pipeline:
    """A pipeline of one pass that does `action`."""
    made = type("Made", (Call,), {"action": staticmethod(action), "anchor": anchor})
    return Pipeline((Step((), made()),))


def test_a_pass_anchored_on_functions_runs_on_each_inside() -> None:
    seen: list[str] = []
    driver.run(call(lambda f: seen.append(f.attributes["sym_name"].value), "func.func"), ir.Module.parse(ADDS))
    assert seen == ["f", "g"]


def test_nested_text_runs_on_direct_children_only(registry: Registry) -> None:
    module = ir.Module.parse(ADDS)
    driver.run(parse("func.func(cse)", registry), module)
    assert str(module).count("arith.addi") == 1


def test_failures_name_pass_operation_and_position() -> None:
    module = ir.Module.parse("\n\n  func.func private @f()")

    def refuse(op: Any) -> None:
        raise PassError("is too small, found 1, expected 2", op.location, op.name)

    with pytest.raises(PassFailure) as caught:
        driver.run(call(refuse, "func.func"), module)
    assert caught.value.summary == "pass 'call' failed (pass 1 of 1)"
    [found] = caught.value.diagnostics
    assert str(found) == "-:3:3: error: 'func.func' op is too small, found 1, expected 2"


def test_an_emitted_error_fails_the_pass_and_is_reported_once() -> None:
    reported: list[Any] = []
    with pytest.raises(PassFailure) as caught:
        driver.run(call(lambda op: op.location.emit_error("no")), ir.Module.parse(""), Settings(report=reported.append))
    assert [d.message for d in reported] == ["no"]
    assert caught.value.diagnostics == ()


def test_an_upstream_failure_carries_its_diagnostics(registry: Registry) -> None:
    module = ir.Module.parse("module {\n}")
    with pytest.raises(PassFailure) as caught:
        driver.run(parse("cse,transform-interpreter", registry), module)
    assert caught.value.summary == "pass 'transform-interpreter' failed (pass 2 of 2)"
    assert "could not find a nested named sequence" in caught.value.diagnostics[0].message


def test_a_bug_in_a_pass_is_an_internal_error() -> None:
    with pytest.raises(InternalError) as caught:
        driver.run(call(lambda op: {}["x"]), ir.Module.parse(""))
    assert caught.value.summary == "pass 'call' has a bug: KeyError: 'x' (pass 1 of 1)"
    assert isinstance(caught.value.__cause__, KeyError)


def test_verification_blames_the_pass() -> None:
    def verify(op: Any) -> None:
        raise error_at(op, "is wrong")

    with pytest.raises(PassFailure, match=r"'builtin.module' op is wrong") as caught:
        driver.run(call(lambda op: None), ir.Module.parse(""), Settings(verify=verify))
    assert "left IR that does not verify" in caught.value.summary


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_passes_that_are_verified_together_run_again_to_blame_the_first_wrong_one(wrong: int) -> None:
    """Pass `wrong` marks the module, which `verify` refuses; the last pass is a bug where it finds the mark."""
    ran: list[int] = []

    def mark(number: int, op: Any) -> None:
        ran.append(number)
        if number == wrong:
            op.attributes["wrong"] = ir.UnitAttr.get()
        assert number < 2 or number == wrong or "wrong" not in op.attributes

    def verify(op: Any) -> None:
        if "wrong" in op.attributes:
            raise error_at(op, "is wrong")

    steps = [call(lambda op, n=n: mark(n, op)).steps[0] for n in range(3)]
    settings = Settings(verify=verify, lightly=lambda _: None)
    with pytest.raises(PassFailure, match="is wrong") as caught:
        driver.run(Pipeline(tuple(steps)), ir.Module.parse(""), settings)
    assert f"(pass {wrong + 1} of 3)" in caught.value.summary
    assert ran == [0, 1, 2, *range(wrong + 1)]
    assert [name for name, _ in settings.timings] == ["call"] * wrong


@pytest.mark.parametrize(
    ("stage", "module", "count"), [("s", "allo_air.passes.x", 0), ("", "allo_air.passes.x", 1), ("s", "x", 1)]
)
def test_only_passes_of_named_pipelines_are_trusted_until_the_end_of_their_level(
    stage: str, module: str, count: int, registry: Registry
) -> None:
    """MLIR's passes assume valid IR, so IR is verified between them and a pass of a user."""
    light: list[str] = []
    own = call(lambda op: None).steps[0]
    type(own.action).__module__ = module
    steps = [replace(s, stage=stage) for s in (own, *parse("cse,cse", registry).steps)]
    settings = Settings(verify=lambda _: None, lightly=lambda _: light.append("lightly"))
    driver.run(Pipeline(tuple(steps)), ir.Module.parse(ADDS), settings)
    assert len(light) == count


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_what_devices_hold_is_verified_at_the_end_of_all_levels_that_keep_them(wrong: int) -> None:
    """Passes 1 and 2 end levels `aie` and `npu`; pass `wrong` marks the module, which is seen at the end, and blamed on it."""
    seen: list[str] = []

    def mark(number: int, op: Any) -> None:
        if number == wrong:
            op.attributes["wrong"] = ir.UnitAttr.get()

    def verify(op: Any) -> None:
        seen.append("all")
        if "wrong" in op.attributes:
            raise error_at(op, "is wrong")

    made = [call(lambda op, n=n: mark(n, op)).steps[0] for n in range(3)]
    ends = [("aie", False), ("aie", True), ("npu", True)]
    steps = tuple(replace(s, stage=n, level=n, ends_stage=end) for s, (n, end) in zip(made, ends, strict=True))
    settings = Settings(verify=verify, lightly=lambda _: None, around=lambda _: seen.append("around"))
    with pytest.raises(PassFailure, match="is wrong") as caught:
        driver.run(Pipeline(steps), ir.Module.parse(""), settings)
    assert f"(pass {wrong + 1} of 3)" in caught.value.summary
    assert seen == ["around", "all", *["all"] * (wrong + 1)]


def test_dumps_and_timings(tmp_path: Path, registry: Registry) -> None:
    settings = Settings(dump_dir=tmp_path / "ir")
    driver.run(parse("cse,canonicalize", registry), ir.Module.parse(ADDS), settings)
    assert sorted(p.name for p in (tmp_path / "ir").iterdir()) == ["000-input.mlir", "001-cse.mlir", "002-canonicalize.mlir"]
    assert (tmp_path / "ir/000-input.mlir").read_text().count("arith.addi") == 2
    assert (tmp_path / "ir/001-cse.mlir").read_text().count("arith.addi") == 1
    assert [name for name, _ in settings.timings] == ["cse", "canonicalize"]
    assert "100.0%  total" in driver.timing_table(settings.timings)


def test_a_reproducer_stays_only_after_a_failure(tmp_path: Path, registry: Registry) -> None:
    file = tmp_path / "repro.mlir"
    driver.run(parse("cse", registry), ir.Module.parse(ADDS), Settings(reproducer=file))
    assert not file.exists()
    with pytest.raises(PassFailure):
        driver.run(parse("cse,transform-interpreter,canonicalize", registry), ir.Module.parse(ADDS), Settings(reproducer=file))
    first, rest = file.read_text().split("\n", 1)
    assert first == f"// allo-opt '--pass-pipeline=builtin.module(transform-interpreter,canonicalize)' {file}"
    assert rest.count("arith.addi") == 1


def test_positions_come_out_of_every_kind_of_location() -> None:
    at = ir.Location.file("a.mlir", 3, 4)
    unknown = ir.Location.unknown()
    fused = ir.Location.fused([unknown, at, ir.Location.file("b", 1, 1)])
    for location in (at, ir.Location.name("n", at), ir.Location.callsite(unknown, [at]), fused, ir.Location.name("x", fused)):
        assert position(location) == ("a.mlir", 3, 4)
    assert position(unknown) == position(ir.Location.name("n")) == ("", 0, 0)


def test_the_matmul_schedule_tiles() -> None:
    module = ir.Module.parse(MATMUL)
    p = schedule("tile-matmul", m=32, n=16)
    assert str(p) == "tile-matmul{m=32 n=16}"
    driver.run(Pipeline((Step((), p),)), module)
    assert "scf.forall (%arg3, %arg4) in (2, 4)" in str(module)
    assert "tensor<32x64xf32>, tensor<64x16xf32>" in str(module)


SCRIPT = """module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @{name}({arguments}) {{
    {body}
    transform.yield
  }}
}}
"""
ROOT = "%root: !transform.any_op {transform.readonly}"


def script(folder: Path, arguments: str = ROOT, body: str = "", name: str = "fails") -> Path:
    path = folder / "fails.mlir"
    path.write_text(SCRIPT.format(name=name, arguments=arguments, body=body))
    return path


def test_a_script_that_fails_says_why(tmp_path: Path) -> None:
    body = '%0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.op<"func.func">'
    p = script_pass(script(tmp_path, body=body))()
    with pytest.raises(PassFailure) as caught:
        driver.run(Pipeline((Step((), p),)), ir.Module.parse(MATMUL))
    assert "incompatible payload operation name" in str(caught.value) or "transform" in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "body", "name", "message"),
    [
        (ROOT, "", "other", "expected 'transform.named_sequence @fails', named after the file"),
        ("%m: !transform.param<i64> {transform.readonly}", "", "fails", "to take a handle to the root operation first"),
        (
            f"{ROOT}, %x: !transform.any_value {{transform.readonly}}",
            "",
            "fails",
            "parameter '%x' has type !transform.any_value, expected",
        ),
        (f"{ROOT}, %run: !transform.param<i64> {{transform.readonly}}", "", "fails", "a parameter cannot be called '%run'"),
    ],
)
def test_scripts_of_a_wrong_shape_are_refused(tmp_path: Path, arguments: str, body: str, name: str, message: str) -> None:
    with pytest.raises(AlloAirError) as caught:
        script_pass(script(tmp_path, arguments, body, name))
    assert message in str(caught.value)


def test_a_script_that_does_not_parse_is_shown_at_its_line(tmp_path: Path) -> None:
    path = script(tmp_path, body="transform.nonsense")
    with pytest.raises(PassFailure) as caught:
        driver.run(Pipeline((Step((), script_pass(path)()),)), ir.Module.parse(""))
    assert (caught.value.diagnostics[0].file, caught.value.diagnostics[0].line) == (str(path), 3)


def test_walks_are_lists_of_views_or_operations() -> None:
    module = ir.Module.parse(ADDS)
    assert {type(o) for o in walk(module, arith.AddIOp, func.FuncOp)} == {arith.AddIOp, func.FuncOp}
    assert [o.name for o in walk_named(module, "func.func")] == ["func.func", "func.func"]
    assert walk_post_order(module)[-1].name == walk_pre_order(module)[0].name == "builtin.module"
    add = walk(module, arith.AddIOp)[0]
    assert [o.name for o in parents(add)] == ["func.func", "builtin.module"]
    assert ancestor_in(add, module.body).name == "func.func"


def test_a_pass_of_mlir_at_the_end_is_verified(registry: Registry) -> None:
    """MLIR's verifier does not run inside of its passes here; this one makes a call with a pointer of another memory."""
    module = ir.Module.parse("func.func @f(%a: memref<16xi32, 2>) {\n memref.dealloc %a : memref<16xi32, 2>\n return\n}")
    verifier = Verifier()
    with pytest.raises(PassFailure) as caught:
        steps = parse("canonicalize,finalize-memref-to-llvm", registry)
        driver.run(steps, module, Settings(verify=verifier, lightly=verifier.lightly))
    assert "left IR that does not verify (pass 2 of 2)" in caught.value.summary
