"""Line templates save time and change nothing: reading and printing with and without them gives the same."""

from pathlib import Path

import pytest

from allo_air import asm
from allo_air.asm.templates import Templates
from allo_air.mlir import new_context
from helpers import TEST, one_in

FILES = [
    *(f for f in sorted(TEST.glob("lit/dialects/*/*.mlir")) if "expected-" not in f.read_text()),
    *sorted(TEST.glob("data/reference/*/*.mlir"))[::9],
]


def printed(text: str) -> tuple[str, str, str]:
    with new_context():
        module = asm.read(text, "t.mlir")
        return asm.write(module), asm.write(module, generic=True), asm.write(module, debug_info=True)


@pytest.mark.parametrize("file", one_in(3, FILES), ids=lambda f: f"{f.parent.name}/{f.stem}")
def test_same_with_and_without(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = file.read_text()
    with_templates = printed(text)
    monkeypatch.setattr(Templates, "rewrite", lambda *_: None)
    assert printed(text)[:2] == with_templates[:2]


def test_a_packet_id_is_no_operation_id() -> None:
    line = "aie.dma_bd(%b : memref<4xi32>) {packet = #aie.packet_info<pkt_type = 2, pkt_id = 5>}"
    moved = Templates().rewrite(line, lambda held: held.replace("pkt_id = ", "", 1))
    assert moved == line.replace("pkt_id = ", "", 1)


def test_a_number_that_loses_its_name_is_not_templated() -> None:
    assert Templates().rewrite("op {id = 5}", lambda held: held.replace("id = ", "")) is None


@pytest.mark.parametrize("line", ['op "%a" %b', 'op %a {x = "id = 3"}'])
def test_strings_with_names_are_not_templated(line: str) -> None:
    assert Templates().rewrite(line, lambda held: held) is None


def test_parts_may_move_and_repeat() -> None:
    templates = Templates()

    def swapped(held: str) -> str:
        first, second = held.split()
        return f"{second} {first} {first}"

    assert [templates.rewrite(line, swapped) for line in ("%a %b", "%c#1 %d", "^bb1 %x")] == [
        "%b %a %a", "%d %c#1 %c#1", "%x ^bb1 ^bb1",
    ]  # fmt: skip
    assert len(templates.known) == 2


def test_an_offset_is_a_part_that_its_attribute_may_lose() -> None:
    templates = Templates()

    def custom(held: str) -> str:
        return held.replace("{offset = ", "").replace(" : i32}", "")

    lines = "bd %a {offset = 12 : i32}", "bd %b {offset = 4096 : i32}", "bd %c {offset = 0 : i32}"
    assert [templates.rewrite(line, custom) for line in lines] == ["bd %a 12", "bd %b 4096", "bd %c 0"]
    assert len(templates.known) == 2  # a field may be left out where it is 0
