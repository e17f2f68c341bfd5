"""Completion of the tools that argparse reads, as bash sees it; test_allo_opt.py has that of allo-opt."""

import subprocess
from pathlib import Path

import pytest

from allo_air.tools import allo_run, allo_translate

TOOLS = {"allo-run": allo_run.main, "allo-translate": allo_translate.main}
ASK = """source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _${1//-/_}; echo "${COMPREPLY[@]}" """


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("allo-run --verb", "--verbose"),
        ("allo-run gemm-i3", "gemm-i32"),
        ("allo-run --device npu2_7", "npu2_7col"),
        ("allo-run --at li", "linalg"),
        ("allo-run --pipeline air-bi", "air-bind"),
        ("allo-run --backend = s", "sim"),
        ("allo-translate --aie-npu-to-b", "--aie-npu-to-binary"),
        ("allo-translate --print-completion z", "zsh"),
    ],
)
def test_bash(line: str, offered: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool = line.split()[0]
    with pytest.raises(SystemExit) as end:
        TOOLS[tool](["--print-completion", "bash"])
    assert end.value.code == 0
    (tmp_path / "script").write_text(capsys.readouterr().out)
    done = subprocess.run(
        ["bash", "-c", ASK, "-", tmp_path / "script", *line.split()], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.split() == [offered]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
@pytest.mark.parametrize("tool", TOOLS)
def test_other_shells_get_all_flags(tool: str, shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        TOOLS[tool](["--print-completion", shell])
    text = capsys.readouterr().out
    assert ("#compdef" in text) == (shell == "zsh")
    for name in ("help", "version"):
        assert (f"--{name}" in text) or (f"-l {name}" in text)
