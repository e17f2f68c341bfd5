"""Options and passes: text round-trip, and what each misuse is told."""

from dataclasses import dataclass, field
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allo_air.core import pipeline, syntax
from allo_air.core.options import option
from allo_air.core.pass_ import Pass
from allo_air.errors import OptionError
from bounds import bounded

WORDS = st.text(max_size=8)


@dataclass(frozen=True)
class Every(Pass):
    """Has an option of every type.

    More text.
    """

    name = "every"
    on: bool = False
    off: bool = True
    tile_size: int = field(default=4, metadata={"help": "rows of a tile"})
    ratio: float = 0.5
    label: str = ""
    device: Literal["npu1", "npu2"] = "npu2"
    depth: int | None = None
    sizes: tuple[int, ...] = (1, 2)
    names: tuple[str, ...] = ()


EVERY = st.builds(
    Every,
    on=st.booleans(),
    off=st.booleans(),
    tile_size=st.integers(),
    ratio=st.floats(allow_nan=False),
    label=WORDS,
    device=st.sampled_from(["npu1", "npu2"]),
    depth=st.none() | st.integers(),
    sizes=st.lists(st.integers()).map(tuple),
    names=st.lists(WORDS).map(tuple),
)


@bounded(40)
@given(EVERY)
def test_text_parses_back(p: Every) -> None:
    [node] = syntax.parse(str(p))
    assert node.name == "every"
    assert Every.parse(node.options) == p


@bounded(20)
@given(st.lists(EVERY, min_size=1, max_size=3))
def test_pipeline_of_passes_parses_back(passes: list[Every]) -> None:
    text = str(pipeline.Pipeline(tuple(pipeline.Step((), p) for p in passes)))
    [module] = syntax.parse(text)
    assert module.children is not None
    assert [Every.parse(n.options) for n in module.children] == passes


def test_only_options_that_differ_are_printed() -> None:
    assert str(Every()) == "every"
    assert str(Every(tile_size=8, sizes=(), names=("a", "b c"))) == 'every{tile-size=8 sizes={} names=a,"b c"}'


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("on", Every(on=True)),
        ("tile_size=0x10", Every(tile_size=16)),
        ("sizes={3,4}", Every(sizes=(3, 4))),
        ("sizes=[3, 4]", Every(sizes=(3, 4))),
        ("label='a b'", Every(label="a b")),
        ("label={x{y} z}", Every(label="x{y} z")),
        ("off=0", Every(off=False)),
    ],
)
def test_spellings(text: str, wanted: Every) -> None:
    assert Every.parse(text) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tile-sise=3", "pass 'every' has no option 'tile-sise'; did you mean 'tile-size'?"),
        (
            "zzz=3",
            "pass 'every' has no option 'zzz'; its options: on, off, tile-size, ratio, label, device, depth, sizes, names",
        ),
        ("tile-size=x", "pass 'every': option 'tile-size' is 'x', expected an int"),
        ("tile-size=1.5", "pass 'every': option 'tile-size' is '1.5', expected an int"),
        ("tile-size=", "pass 'every': option 'tile-size' is '', expected an int"),
        ("on=maybe", "pass 'every': option 'on' is 'maybe', expected a bool (true or false)"),
        ("device=npu3", "pass 'every': option 'device' is 'npu3', expected one of npu1, npu2; did you mean 'npu1' or 'npu2'?"),
        (
            "device=npu1,size=3",
            "pass 'every': option 'device' is 'npu1,size=3', expected one of npu1, npu2; a space separates options",
        ),
        ("sizes=1,x", "pass 'every': option 'sizes' is '1,x', expected a list of int, as in a,b"),
        ("on=1 on=0", "pass 'every': option 'on' is given twice"),
        ("label={x", "pass 'every': '{' is not closed in the options 'label={x'"),
        ("=3", "pass 'every': expected an option name at '=3'"),
    ],
)
def test_misuse_is_explained(text: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        Every.parse(text)
    said = str(caught.value)
    assert said == message or (message.endswith("?") and said.startswith(message.split(";")[0]))


def test_values_given_in_python_are_checked() -> None:
    with pytest.raises(OptionError, match="every: option 'tile-size' is 'x', expected an int"):
        Every(tile_size="x")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="option 'tile-size' is True"):
        Every(tile_size=True)
    assert str(Every(tile_size=option("rows"))) == "every{tile-size=<rows>}"


def test_a_required_option_is_asked_for() -> None:
    @dataclass(frozen=True)
    class Needs(Pass):
        """Needs something."""

        name = "needs"
        size: int

    with pytest.raises(OptionError, match="pass 'needs' needs option size"):
        Needs.parse("")
    assert str(Needs(3)) == "needs{size=3}"


def test_summary_is_the_first_paragraph() -> None:
    assert Every.summary() == "Has an option of every type."
