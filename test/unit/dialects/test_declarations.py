"""The declarations of a device."""

from __future__ import annotations

import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.dialects import declarations as module
from allo_air.dialects.declarations import declarations
from allo_air.mlir import new_context

DEVICE = """
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %core = aie.core(%tile) {
    %lock = aie.lock(%tile) {init = 1 : i32}
    aie.end
  }
  %buffer = aie.buffer(%tile) : memref<64xi32>
}
"""


def test_cores_are_walked_only_for_what_may_be_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    with new_context():
        parsed = asm.read(DEVICE)
        [device] = walk_named(parsed, "aie.device")
        walks = list[tuple[str, ...]]()
        monkeypatch.setattr(module, "walk_named", lambda op, *names: walks.append(names) or walk_named(op, *names))
        assert [o.operation.name for o in declarations(device, "aie.tile")] == ["aie.tile"] and not walks
        assert [o.operation.name for o in declarations(device, "aie.lock", "aie.tile")] == ["aie.tile", "aie.lock"]
        assert walks and all(names == ("aie.lock",) for names in walks)
        names = [o.operation.name for o in declarations(device)]
        assert names[:4] == ["aie.tile", "aie.core", "aie.lock", "aie.buffer"]
