"""What options mean: the strings below the fields of a dataclass, and a table of MLIR's own."""

import re
from dataclasses import dataclass, make_dataclass
from pathlib import Path

from allo_air.core import describe, field_docs, upstream
from allo_air.core.registry import Registry
from allo_air.errors import OptionError
from allo_air.mlir import new_context


@dataclass
class Above:
    """Has two fields."""

    depth: int = 0
    """How deep it is,
    in levels."""
    name: str = ""


@dataclass
class Below(Above):
    width: int = 1
    """How wide it is."""
    depth: int = 1
    """How deep the lower one is."""

    def run(self) -> None:
        """Does nothing."""


def test_the_string_below_a_field_is_what_it_means() -> None:
    assert field_docs.of(Above) == {"depth": "How deep it is, in levels."}


def test_a_class_has_what_it_inherits_and_its_own_first() -> None:
    assert field_docs.of(Below) == {"depth": "How deep the lower one is.", "width": "How wide it is."}


def test_a_class_without_source_has_none() -> None:
    assert field_docs.of(make_dataclass("Made", [("depth", int)])) == {}


def test_options_of_mlir_are_told_with_their_defaults(registry: Registry) -> None:
    with new_context():
        told = describe.help_for(registry, "one-shot-bufferize")
    assert re.search(
        r"bufferize-function-boundaries +Bufferize arguments, results and calls of functions \(default false\)", told
    )
    assert re.search(r"\n  dialect-filter +Bufferize only operations of these dialects\n", told)


def test_the_table_has_options_that_there_are_in_order() -> None:
    rows = (Path(upstream.__file__).parent / "upstream_options.txt").read_text().splitlines()
    assert rows == sorted(rows)
    assert all(row.endswith(".") for row in rows)
    with new_context():
        wrong = [row for row in rows if not has_option(*row.split(" ", 2)[:2])]
    assert not wrong
    with new_context():
        assert not has_option("one-shot-bufferize", "bogus")


def has_option(owner: str, option: str) -> bool:
    """Whether MLIR's pass takes an option of that name, with whatever value."""
    try:
        upstream.anchor(owner, f"{option}=1")
    except OptionError as wrong:
        return "has no option" not in str(wrong)
    return True
