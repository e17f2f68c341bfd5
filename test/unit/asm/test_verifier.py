"""`asm.Verifier` finds what `asm.verify` finds, also where only part of the module is looked at again."""

import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.errors import DiagnosticError
from allo_air.mlir import ir, new_context

MODULE = """
air.channel @c [1]
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %lock = aie.lock(%tile, 3)
}
"""


def set_integer(op, name, value):
    op.attributes[name] = ir.IntegerAttr.get(op.attributes[name].type, value)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda m: set_integer(walk_named(m, "aie.lock")[0], "lockID", 64), "lock assigned invalid id"),
        (
            lambda m: walk_named(m, "air.channel")[0].attributes.__setitem__("channel_type", ir.StringAttr.get("none")),
            "unsupported channel_type",
        ),
    ],
)
def test_change_is_found_until_it_is_mended(spoil, message):
    with new_context():
        module, mended = asm.read(MODULE), asm.read(MODULE)
        verifier = asm.Verifier()
        verifier(module)
        spoil(module)
        for _ in range(2):
            with pytest.raises(DiagnosticError, match=message):
                verifier(module)
        verifier(mended)


def test_unchanged_module_is_not_looked_at_again(monkeypatch):
    with new_context():
        module = asm.read(MODULE)
        looked = []
        check = asm.verifier.dialects.check
        monkeypatch.setattr(asm.verifier.dialects, "check", lambda op, **given: looked.append(given) or check(op, **given))
        verifier = asm.Verifier()
        verifier(module)
        verifier(module)
        walk_named(module, "air.channel")[0].erase()
        verifier(module)
    assert looked == [{"devices": True}, {"devices": False}]
