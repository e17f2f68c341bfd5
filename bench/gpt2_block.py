"""A block of GPT-2 small (width 768, 12 heads, 64 tokens): predicted time by kernel, what bounds each, and the error.

    python bench/gpt2_block.py [--device npu2] [--dtype bf16] [--html report.html]

It takes some minutes: three million parameters, and every word of them is simulated.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

import torch

sys.path.insert(0, str(Path(__file__).parents[1] / "test"))

import allo_air.torch
from e2e.models import blocks

WIDTH, HEADS, TOKENS = 768, 12, 64


def main() -> None:
    """Prints the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="npu2")
    parser.add_argument("--dtype", choices=("bf16",))
    parser.add_argument("--html", help="write the report as a page, too")
    options = parser.parse_args()
    model = blocks.made(blocks.Decoder, WIDTH, HEADS)
    x, start = torch.randn(1, TOKENS, WIDTH), perf_counter()
    compiled = allo_air.torch.compile(model, x, device=options.device, dtype=options.dtype)
    ready = perf_counter()
    compiled(x)
    print(f"{ready - start:.0f} s to compile, {perf_counter() - ready:.0f} s to simulate")
    print(compiled.report())
    if options.html:
        compiled.model.report_html(options.html)


if __name__ == "__main__":
    main()
