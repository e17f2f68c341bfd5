"""Pipeline text: structure, positions of errors, upstream's names and options, named pipelines."""

import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allo_air.core import pipeline, syntax, upstream
from allo_air.core.named import NamedPipeline, Stage, late
from allo_air.core.options import option
from allo_air.core.pass_ import Pass
from allo_air.core.registry import Registry
from allo_air.core.schedule import schedule
from allo_air.core.select import select
from allo_air.errors import AlloAirError, OptionError, PipelineSyntaxError, UnknownNameError
from bounds import bounded

pytestmark = pytest.mark.usefixtures("context")

LEAVES = st.sampled_from(["cse", "canonicalize{max-iterations=3}", "tile-matmul{m=1 n=2}", "symbol-dce", "sccp"])
ELEMENTS = st.recursive(
    LEAVES, lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda x: f"func.func({','.join(x)})"), max_leaves=6
)


@bounded(40)
@given(st.lists(ELEMENTS, max_size=4))
def test_printed_text_parses_back(elements: list[str]) -> None:
    from allo_air.mlir import new_context

    with new_context():
        first = pipeline.parse(f"builtin.module({','.join(elements)})", Registry())
        again = pipeline.parse(str(first), Registry())
    assert again == first
    assert str(again) == str(first)


@bounded(40)
@given(st.text(alphabet="ab.(){},=' \"\\", max_size=20))
def test_any_text_parses_or_points_into_itself(text: str) -> None:
    try:
        syntax.parse(text)
    except PipelineSyntaxError as error:
        assert 1 <= error.column <= len(text) + 1


def test_deep_nesting_needs_no_recursion() -> None:
    syntax.parse("a.b(" * 20_000 + "cse" + ")" * 20_000)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("builtin.module(cse", 15, "expected ')' to close 'builtin.module('"),
        ("builtin.module(cse))", 20, "unexpected ')', nothing is open"),
        ("builtin.module(cse,)", 20, "expected a pass name, found ')'"),
        ("builtin.module(,cse)", 16, "expected a pass name, found ','"),
        ("builtin.module(cse cse)", 20, "expected ',' or ')' in 'builtin.module(', found 'c'"),
        ("cse cse", 5, "expected ',' between passes, found 'c'"),
        ("canonicalize{a={1}", 13, "the options that open here do not close"),
        ("cse,csee", 5, "unknown pass 'csee'; did you mean 'cse'"),
        ("func.func(tile-matmul{m=1})", 11, "pass 'tile-matmul' needs option n"),
        ("cse,canonicalize{max-iter=3}", 5, "pass 'canonicalize' has no option 'max-iter'; did you mean 'max-iterations'"),
        ("cse(cse)", 1, "'cse' is not an operation that passes can be nested in"),
        ("builtin.module(func.fun(cse))", 16, "'func.fun' is not an operation that passes can be nested in"),
        ("convert-scf-to-cf{allow-pattern-rollback=x}", 1, "pass 'convert-scf-to-cf' cannot take the options"),
    ],
)
def test_errors_point_at_their_column(text: str, column: int, message: str, registry: Registry) -> None:
    with pytest.raises(PipelineSyntaxError, match=re.escape(message)) as caught:
        pipeline.parse(text, registry)
    assert caught.value.column == column


def test_upstream_passes_are_nested_where_they_must_run(registry: Registry) -> None:
    parsed = pipeline.parse("convert-math-to-funcs,affine-loop-tile,affine-loop-unroll,cse", registry)
    assert str(parsed) == "builtin.module(convert-math-to-funcs,func.func(affine-loop-tile,affine-loop-unroll),cse)"


def test_upstream_names_are_those_the_bindings_know() -> None:
    assert {"canonicalize", "cse", "one-shot-bufferize", "transform-interpreter"} <= set(upstream.names())
    assert [n for n in upstream.names() if not upstream.exists(n)] == []


@dataclass(frozen=True)
class Options:
    rows: int = 32
    cols: int = 64


TILE = Stage("tile", "tiled", (schedule("tile-matmul", m=option("rows"), n=option("cols")),))
CLEAN = Stage("clean", "tiled", ("canonicalize", "func.func(cse)"))
GEMM = NamedPipeline("test-gemm", "A pipeline for tests", (TILE, CLEAN, CLEAN), Options)


def test_a_pipeline_is_bound_once_for_equal_options(registry: Registry) -> None:
    rows = GEMM.instantiate(registry, "rows=8")
    assert GEMM.instantiate(registry, "rows=8") is rows
    assert GEMM.instantiate(registry, "rows=4") != rows


def test_options_that_are_not_frozen_are_bound_each_time(registry: Registry) -> None:
    @dataclass
    class Own:
        """Options."""

        rows: int = 4
        """Rows."""

    pipeline = NamedPipeline("test-own", "A pipeline for tests", (CLEAN,), Own)
    assert pipeline.instantiate(registry, "rows=8") is not pipeline.instantiate(registry, "rows=8")


def test_a_named_pipeline_is_data_until_it_is_instantiated(registry: Registry) -> None:
    made = GEMM.instantiate(registry, "rows=8")
    assert str(made) == ("builtin.module(tile-matmul{m=8 n=64},canonicalize,func.func(cse),canonicalize,func.func(cse))")
    assert [s.stage for s in made.steps] == ["tile", "clean", "clean", "clean", "clean"]
    assert str(pipeline.parse(str(made), registry)) == str(made)


def test_options_of_a_named_pipeline_are_checked(registry: Registry) -> None:
    with pytest.raises(OptionError, match="pipeline 'test-gemm' has no option 'row'; did you mean 'rows'"):
        GEMM.instantiate(registry, "row=8")
    with pytest.raises(OptionError, match="pass 'tile-matmul': no pipeline option 'row'; did you mean 'rows'"):
        NamedPipeline("x", "", (Stage("t", "", (schedule("tile-matmul", m=option("row"), n=1),)),), Options)
    with pytest.raises(OptionError, match="pipeline 'x', stage 't': unknown pass 'csee'"):
        NamedPipeline("x", "", (Stage("t", "", ("csee",)),)).instantiate(registry)


def test_a_late_pass_is_looked_up_when_its_pipeline_is_bound(registry: Registry) -> None:
    stage = Stage("tile", "tiled", (late("tile-matmul", m=option("rows"), n=option("cols")), "cse"))
    assert [str(p) for p in stage.passes] == ["tile-matmul{m=<rows> n=<cols>}", "cse"]
    made = NamedPipeline("x", "", (stage,), Options).instantiate(registry, "rows=8")
    assert str(made) == "builtin.module(tile-matmul{m=8 n=64},cse)"
    with pytest.raises(OptionError, match="pass 'tile-matmul': no pipeline option 'row'; did you mean 'rows'"):
        NamedPipeline("x", "", (Stage("t", "", (late("tile-matmul", m=option("row"), n=1),)),), Options)
    with pytest.raises(OptionError, match="pipeline 'x', stage 't': there is no pass 'tile-matmull'"):
        NamedPipeline("x", "", (Stage("t", "", (late("tile-matmull"),)),)).instantiate(registry)


@pytest.mark.parametrize(
    ("start", "stop", "names"),
    [
        (None, "canonicalize", ["tile-matmul", "canonicalize"]),
        ("canonicalize#2", None, ["canonicalize", "cse"]),
        ("cse", "cse#2", ["cse", "canonicalize", "cse"]),
        (None, "tile", ["tile-matmul"]),
        ("clean", None, ["canonicalize", "cse", "canonicalize", "cse"]),
        (None, "tiled", ["tile-matmul", "canonicalize", "cse", "canonicalize", "cse"]),
    ],
)
def test_parts_are_selected_by_pass_stage_and_level(start: str, stop: str, names: list[str], registry: Registry) -> None:
    assert [s.name for s in select(GEMM.instantiate(registry), start, stop).steps] == names


@pytest.mark.parametrize(
    ("start", "stop", "message"),
    [
        ("cse#3", None, "'cse#3': the pipeline runs pass 'cse' 2 times"),
        (None, "canonicalise", "unknown pass, stage or level of this pipeline 'canonicalise'; did you mean 'canonicalize'"),
        ("cse#2", "cse", "'cse', where the pipeline stops, comes before 'cse#2', where it starts"),
    ],
)
def test_wrong_selections_are_explained(start: str, stop: str, message: str, registry: Registry) -> None:
    with pytest.raises(AlloAirError, match=re.escape(message)):
        select(GEMM.instantiate(registry), start, stop)


def test_an_error_does_not_list_a_hundred_names() -> None:
    pipeline = Registry().pipeline("npu").instantiate(Registry())
    with pytest.raises(
        AlloAirError, match=r"'air-to-ai'; did you mean 'air-to-aie'.*it runs \d+ passes.*--print-pipeline"
    ) as error:
        select(pipeline, None, "air-to-ai")
    assert len(str(error.value)) < 400


def test_a_module_pass_cannot_be_nested(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    class OnModule(Pass):
        """Runs on modules."""

        name = "on-module"
        anchor = "builtin.module"

    monkeypatch.setattr(Registry, "find_pass", lambda self, name: OnModule if name == "on-module" else None)
    with pytest.raises(PipelineSyntaxError, match=r"pass 'on-module' runs on builtin.module, not on func.func"):
        pipeline.parse("func.func(on-module)", registry)


def test_unknown_pipelines_offer_the_nearest(registry: Registry) -> None:
    with pytest.raises(UnknownNameError, match="unknown pipeline 'nope'"):
        registry.pipeline("nope")


def test_a_stage_is_spliced_by_name() -> None:
    stage = Stage("l2", "channel", ("cse", "func.func(air-loop-fusion)", "canonicalize", "cse"))
    assert stage.up_to("func.func(air-loop-fusion)") == ("cse", "func.func(air-loop-fusion)")
    assert stage.between("func.func(air-loop-fusion)", "canonicalize") == ()
    assert stage.after("canonicalize") == ("cse",)
    for name in ("cse", "air-renumber-dma"):
        with pytest.raises(OptionError, match=rf"stage 'l2' has '{name}' \d times, expected once"):
            stage.after(name)
