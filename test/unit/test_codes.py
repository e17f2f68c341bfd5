"""The table of codes, its page, and what the engine and the checks name by it."""

import importlib.util
import re
from pathlib import Path

import pytest

from allo_air import codes
from allo_air.errors import AlloAirError

ROOT = Path(__file__).parents[2]


def test_the_page_lists_all_codes_with_an_example() -> None:
    spec = importlib.util.spec_from_file_location("draw_codes", ROOT / "docs/draw_codes.py")
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.EXAMPLES.keys() == codes.CODES.keys()
    assert tool.table() in tool.PAGE.read_text(), "run python docs/draw_codes.py"


def test_every_code_in_the_sources_is_in_the_table() -> None:
    pattern = re.compile(
        r'"((?:{})\.[a-z-]+)"'.format("|".join({name.split(".")[0] for name in codes.CODES} - {"memory", "channel", "design"}))
    )
    for folder in ("allo_air/sim", "allo_air/program", "passes/check"):
        for path in (ROOT / folder).rglob("*.py"):
            assert set(pattern.findall(path.read_text())) <= codes.CODES.keys(), path


def test_rows_are_whole() -> None:
    for code in codes.CODES.values():
        assert re.fullmatch(r"[a-z]+\.[a-z-]+", code.name)
        assert code.sentence.endswith(".") and code.cure and not code.cure.endswith(".")
        assert code.verdict in codes.WORST


def test_an_unknown_code_is_an_error_that_offers_others() -> None:
    with pytest.raises(AlloAirError, match=r"there is no finding 'race.dat'; did you mean 'race.data'"):
        codes.find("race.dat")
    assert {c.name for c in codes.matching("lock.*")} == {"lock.overflow", "lock.underflow", "lock.range"}
