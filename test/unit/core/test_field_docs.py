"""What options mean: the strings below the fields of a dataclass."""

from dataclasses import dataclass, make_dataclass

from allo_air.core import field_docs


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
