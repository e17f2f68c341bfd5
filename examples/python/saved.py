"""A program on disk: the IR of every level, the instruction words, and a program that loads without compiling."""

from pathlib import Path

import numpy as np

import allo_air

program = allo_air.compile(shape=(32, 40, 48), dtype="i8", device="npu2")
program.save("saved")
print(*sorted(path.name for path in Path("saved").iterdir()))
loaded = allo_air.load("saved")
assert loaded.words.tolist() == program.words.tolist()

rng = np.random.default_rng(3)
a, b = rng.integers(-128, 128, (32, 48), dtype=np.int8), rng.integers(-128, 128, (48, 40), dtype=np.int8)
assert (loaded(a, b) == a.astype(np.int32) @ b.astype(np.int32)).all()
print("PASS")
