"""Draws the pictures of gallery.md from the programs in examples/python: python docs/draw_gallery.py [NAME ...]."""

from __future__ import annotations

import runpy
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "examples/python"
PICTURES = {
    "gallery_gemm_timeline.png": ("gemm", "program"),
    "gallery_gemm_roofline.png": ("gemm", "program"),
    "gallery_torch_model.svg": ("torch_model", "compiled"),
}
"""The file of a picture, the example that it shows, and the name of the compiled program in it."""


def main() -> None:
    wanted = sys.argv[1:] or list(PICTURES)
    for name in wanted:
        example, variable = PICTURES[name]
        program = runpy.run_path(str(PROGRAMS / f"{example}.py"))[variable]
        with tempfile.TemporaryDirectory() as folder:
            drawn = Path(folder, name.removeprefix("gallery_"))
            program.plot(drawn)
            (HERE / name).write_bytes(drawn.read_bytes())
        print(name)


if __name__ == "__main__":
    main()
