"""Flags of MLIR-AIR's driver of August 2026 that steer the pipeline, and those that are answered."""

from pathlib import Path
from typing import Any

import pytest

from allo_air.air.backend import xrt
from allo_air.air.compiler.aircc import main

TEXT = "module { air.channel @c [1] }"


def test_flags_become_options_of_the_pipeline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.mlir").write_text(TEXT)
    seen: list[Any] = []
    monkeypatch.setattr(xrt.XRTBackend, "compile", lambda self, *_, **__: seen.append((self.device, self.steering)))
    flags = ("--placed-ir-verifiers=warn", "--use-lock-race-condition-fix-v2", "--coalesce-shim-dma", "--stack-size", "2048")
    assert main.main([str(tmp_path / "a.mlir"), "--device", "npu2", *flags, "--omit-ping-pong-transform=L2"]) == 0
    wanted = {
        "placed_ir_verifiers": "warn",
        "use_lock_race_condition_fix_v2": True,
        "coalesce_shim_dma": True,
        "stack_size": 2048,
        "omit_ping_pong": "L2",
    }
    assert seen == [("npu2", wanted)]


def test_what_is_not_made_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mlir").write_text(TEXT)
    assert main.main([str(tmp_path / "a.mlir"), "--emit-txn-cpp"]) == 1
    assert "--emit-txn-cpp asks for instruction words as a function in C++, which is not made here" in capsys.readouterr().err


def test_files_that_are_not_made_name_what_makes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mlir").write_text(TEXT)
    main.main([str(tmp_path / "a.mlir"), "--aie-generate-cdo", "--get=txn", "--get-xclbin", "--emit-txn-cpp"])
    notes = [line for line in capsys.readouterr().err.split("\n") if line.startswith("note: ")]
    assert notes == [
        "note: --aie-generate-cdo makes no file here: use allo-translate --aie-generate-cdo",
        "note: --get=txn makes no file here: use allo-translate --aie-generate-txn",
    ]
