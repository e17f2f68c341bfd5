"""simplify-linalg on every module of test/data/torch: what it makes computes the same, and has nothing left to simplify."""

import re
from typing import Any

import pytest

from allo_air import asm, interp
from allo_air.passes.simplify.simplify_linalg import SimplifyLinalg
from torch_modules import load, names

GONE = ("f64", "linalg.transpose", "linalg.broadcast", "linalg.map", "cf.assert", "math.fpowi", "math.powf")

STAYS = {"pow_tensor": ("math.powf",)}
"""Powers whose exponents are computed."""


def unnamed(text: str) -> list[str]:
    """The lines of `text` in alphabetical order, without the numbers of values, which go by places."""
    return sorted(re.sub(r"%\w+", "%", line) for line in text.splitlines())


MODULES = [name if n % 3 == 0 else pytest.param(name, marks=pytest.mark.slow) for n, name in enumerate(names())]


@pytest.mark.parametrize("name", MODULES)
def test_computes_the_same(context: Any, name: str) -> None:
    case = load(name)
    module = asm.read(case.text, name)
    SimplifyLinalg().run(module.operation)
    assert module.operation.verify()
    text = asm.write(module)
    assert not [n for n in GONE if n in text and n not in STAYS.get(name, ())]
    case.check(interp.run(module, case.inputs))
    SimplifyLinalg().run(module.operation)
    assert unnamed(asm.write(module)) == unnamed(text), "constants may change places, nothing else"
