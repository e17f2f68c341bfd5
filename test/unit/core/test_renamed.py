"""Old names of passes, pipelines and options work for a release, with a note that says the new one."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from allo_air.core import describe, options, renamed
from allo_air.core.pipeline import parse
from allo_air.core.registry import Registry
from allo_air.core.renamed import RenamedWarning
from allo_air.core.select import select
from allo_air.errors import OptionError
from allo_air.mlir import new_context
from allo_air.tools import start

SAYS = "is called 'air-dependency' now; the next release will not know 'air-tokens'"


@pytest.fixture
def old_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renamed, "PASSES", {"air-tokens": "air-dependency"})
    monkeypatch.setattr(renamed, "PIPELINES", {"air-to-npu": "air-npu"})


def test_every_old_name_is_gone_and_every_new_one_is_there() -> None:
    registry = Registry()
    passes, pipelines = registry.pass_names(), registry.pipeline_names()
    assert not {*renamed.PASSES} & {*passes}
    assert {*renamed.PASSES.values()} <= {*passes}
    assert not {*renamed.PIPELINES} & {*pipelines}
    assert {*renamed.PIPELINES.values()} <= {*pipelines}


def test_a_pass_that_is_a_part_of_another_says_so() -> None:
    with pytest.warns(
        RenamedWarning, match="pass 'merge-devices' is a part of 'link-kernels' now, which does its other parts, too"
    ):
        assert renamed.current("pass", "merge-devices") == "link-kernels"


@pytest.mark.usefixtures("old_names")
def test_a_pass_answers_to_its_old_name() -> None:
    registry = Registry()
    with new_context():
        with pytest.warns(RenamedWarning, match=SAYS):
            pipeline = parse("canonicalize,air-tokens,cse", registry)
        assert str(pipeline) == "builtin.module(canonicalize,air-dependency,cse)"
        with pytest.warns(RenamedWarning, match=SAYS):
            assert str(select(pipeline, stop_after="air-tokens")) == "builtin.module(canonicalize,air-dependency)"
        with pytest.warns(RenamedWarning, match=SAYS):
            assert describe.help_for(registry, "air-tokens").startswith("air-dependency\n")
    assert "air-tokens" not in registry.pass_names()


@pytest.mark.usefixtures("old_names")
def test_a_pipeline_answers_to_its_old_name() -> None:
    with pytest.warns(RenamedWarning, match="pipeline 'air-to-npu' is called 'air-npu' now"):
        assert Registry().pipeline("air-to-npu").name == "air-npu"


@dataclass(frozen=True)
class Tiles:
    rows: int = 1
    renamed: ClassVar = {"height": "rows"}


def test_an_option_answers_to_its_old_name() -> None:
    with pytest.warns(RenamedWarning, match="option of pass 'tile' 'height' is called 'rows' now"):
        assert options.parse("pass 'tile'", Tiles, "height=3") == Tiles(3)
    with pytest.warns(RenamedWarning), pytest.raises(OptionError, match="'height' is given twice"):
        options.parse("pass 'tile'", Tiles, "rows=2 height=3")


def test_the_tools_print_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    start._print_warning(RenamedWarning("pass 'a' is called 'b' now"), RenamedWarning, "a.py", 3)
    assert capsys.readouterr().err == "note: pass 'a' is called 'b' now\n"
    start._print_warning(UserWarning("odd"), UserWarning, "a.py", 3)
    assert "UserWarning: odd" in capsys.readouterr().err
