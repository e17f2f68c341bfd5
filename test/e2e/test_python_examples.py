"""The programs in examples/python check themselves, and print PASS at the end."""

import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "python"
NEEDS = {"attention": "torch", "torch_model": "torch", "onnx_model": "onnx"}


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.py")))
def test_example(name: str, tmp_path: Path, tools: Path) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    command = [str(tools / "python"), str(FOLDER / f"{name}.py")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.endswith("PASS\n"), done.stdout + done.stderr
