"""allo-run speaks of its own options where the library speaks of keywords."""

import re
from pathlib import Path

import pytest

import allo_air
from allo_air.tools import allo_run
from allo_air.tools._words import WORDS, of_command_line

TWO = """
aie.device(npu1_1col) @one {
  aie.runtime_sequence @a(%x: memref<4xi32>) {}
}
aie.device(npu1_1col) @two {
  aie.runtime_sequence @b(%x: memref<4xi32>) {}
}
"""


def test_every_pattern_stands_for_something_that_is_said() -> None:
    root = Path(allo_air.__file__).parent
    files = [*root.rglob("*.py"), *root.rglob("*.hpp")]
    said = "".join(f.read_text() for f in files if f.name != "_words.py").replace("{{", "{").replace("}}", "}")
    said = said.replace("{signature.name}", "f")
    assert [pattern for pattern, _ in WORDS if not re.search(pattern, said)] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["two.mlir"], r"name one with --device-name and --entry$"),
        (
            ["two.mlir", "--pipeline", "builtin.module(cse)"],
            r"leave only one .* as it is and name one with --device-name and --entry$",
        ),
    ],
)
def test_messages(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.mlir").write_text(TWO)
    assert allo_run.main(arguments) != 0
    assert re.search(message, capsys.readouterr().err, re.MULTILINE)


def test_kernels() -> None:
    said = "calls 'scale', which has no body: give simulate(..., kernels={'scale': f}) with f(x)"
    assert of_command_line(said) == "calls 'scale', which has no body: give --kernel scale=FILE with f(x)"
