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
    flags = ("--placed-ir-verifiers=warn", "--use-lock-race-condition-fix-v2", "--coalesce-shim-dma", "--stack-size", "2048",
             *["--air-runtime-loop-tiling-sizes=4"] * 2)  # fmt: skip
    assert main.main([str(tmp_path / "a.mlir"), "--device", "npu2", *flags, "--omit-ping-pong-transform=L2"]) == 0
    wanted = {
        "placed_ir_verifiers": "warn",
        "use_lock_race_condition_fix_v2": True,
        "coalesce_shim_dma": True,
        "stack_size": 2048,
        "runtime_loop_tiling_sizes": (4, 4),
        "omit_ping_pong": "L2",
    }
    assert seen == [("npu2", wanted)]


def test_what_is_not_made_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mlir").write_text(TEXT)
    assert main.main([str(tmp_path / "a.mlir"), "--emit-txn-cpp"]) == 1
    assert "--emit-txn-cpp asks for instruction words as a function in C++, which is not made here" in capsys.readouterr().err


def test_files_that_are_not_made_name_what_makes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mlir").write_text(TEXT)
    main.main([str(tmp_path / "a.mlir"), "--aie-generate-ctrlpkt", "--get=locmap", "--get-xclbin", "--emit-txn-cpp",
               "--emit-dot", "--no-xbridge", "--stak-size", "-v"])  # fmt: skip
    notes = [line for line in capsys.readouterr().err.split("\n") if line.startswith("note: ")]
    assert notes == [
        "note: --aie-generate-ctrlpkt makes no file here: use allo-translate --aie-ctrlpkt-to-bin",
        "note: --get=locmap makes no file here: use allo-opt --mlir-print-debuginfo",
        "note: --emit-dot has no effect here: the steps of a compilation are passes; use allo-opt",
        "note: --stak-size is not an option of aircc or aiecc, and has no effect; "
        "did you mean 'stack-size', 'stack-sizes' or 'trace-size'?",
    ]


@pytest.mark.parametrize(
    ("flag", "reason"),
    [
        ("--get-npu-inst", "did you mean 'npu-insts'?"),
        ("--get=firmware", "there is no artifact 'firmware'; there are: xclbin,"),
    ],
)
def test_artifacts_that_nobody_makes(tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str, reason: str) -> None:
    (tmp_path / "a.mlir").write_text(TEXT)
    assert main.main([str(tmp_path / "a.mlir"), flag.replace("--get=", "--get-")]) == 1
    assert reason in capsys.readouterr().err


def test_a_dry_run_lists_files_and_writes_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mlir").write_text(TEXT)
    flags = ("--dry-run", "--xclbin-name=p.xclbin", "--get-cdo", "--get-txn", "--txn-name", "t.mlir")
    assert main.main([str(tmp_path / "a.mlir"), *flags]) == 0
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "p.xclbin", "insts.bin", "t.mlir", "*_aie_cdo_*.bin",
    ]  # fmt: skip
    assert [p.name for p in tmp_path.iterdir()] == ["a.mlir"]


def test_artifacts_of_a_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    design = Path(__file__).parents[2] / "e2e" / "sim" / "designs" / "passthrough_dmas.mlir"
    flags = (
        "--get-input-with-addresses",
        "--input-with-addresses-name=a.mlir",
        "--get-txn",
        "--get-cdo",
        "--get=pdi",
        "--get-elf",
    )
    assert main.main([str(design), *flags]) == 0
    files = {p.name for p in tmp_path.iterdir()}
    assert files == {
        "final.xclbin", "insts.bin", "a.mlir", "txn.mlir", "design.pdi", "insts.elf",
        *(f"main_aie_cdo_{part}.bin" for part in ("elfs", "init", "enable")),
    }  # fmt: skip
    assert "address = " in Path("a.mlir").read_text() and "aiex.npu.blockwrite" in Path("txn.mlir").read_text()
    assert Path("insts.elf").read_bytes()[:4] == b"\x7fELF"


def test_each_device_has_its_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without --device-name; {0} in the name of a PDI or a transaction is that of the device."""
    monkeypatch.chdir(tmp_path)
    design = "aie.device(npu1_1col) @{} {{ aie.runtime_sequence() {{ }} }}\n"
    Path("a.mlir").write_text(design.format("one") + design.format("two").replace("aie.runtime_sequence() { }", ""))
    assert main.main(["a.mlir", "--get-cdo", "--get-pdi", "--get-txn", "--txn-name={0}.txn.mlir"]) == 0
    assert {f"{n}{end}" for n in ("one", "two") for end in ("_aie_cdo_init.bin", ".pdi", ".txn.mlir")} <= {
        p.name for p in tmp_path.iterdir()
    }
    assert main.main(["a.mlir", "--get-pdi", "--pdi-name=b.pdi"]) == 1
    assert "--pdi-name=b.pdi is one file, and there are 2 devices (@one, @two)" in capsys.readouterr().err
    assert main.main(["a.mlir", "--get-pdi", "--pdi-name=b.pdi", "--device-name=two"]) == 0 and Path("b.pdi").exists()


_TWO = """module { aie.device(npu1) @d {
  aie.runtime_sequence @a() { aiex.npu.preempt {level = 1 : ui8} }
  aie.runtime_sequence @b() { aiex.npu.preempt {level = 2 : ui8} }
} }"""


def test_each_sequence_has_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(_TWO)
    assert main.main(["a.mlir", "--get-npu-insts"]) == 0
    assert [Path(f"insts_d_{n}.bin").read_bytes()[-3] for n in "ab"] == [1, 2]
    assert main.main(["a.mlir", "--get-npu-insts", "--sequence-name=b"]) == 0
    assert Path("insts.bin").read_bytes() == Path("insts_d_b.bin").read_bytes()
    capsys.readouterr()
    assert main.main(["a.mlir", "--get-npu-insts", "--npu-insts-name=m{1}.bin"]) == 0
    assert Path("mb.bin").read_bytes() == Path("insts.bin").read_bytes() and "note" not in capsys.readouterr().err
    assert main.main(["a.mlir", "--get-npu-insts", "--npu-insts-name=m{0}.bin"]) == 0
    assert "note: 'm{0}.bin' is one file" in capsys.readouterr().err and not Path("md.bin").exists()
    assert main.main(["a.mlir", "--get-npu-insts", "--sequence-name=b", "--npu-insts-name={x}{0}.bin"]) == 0
    assert Path("{x}d.bin").exists()
    assert main.main(["a.mlir", "--get-xclbin"]) == 1
    assert "one runtime sequence, this design has a, b: name one by --sequence-name" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--device=npu9", "error: unknown device 'npu9'; did you mean 'npu2' or 'npu1'?\n"),
        ("--stack-size=x", "error: --stack-size is 'x', expected a number"),
        (
            "--air-runtime-loop-tiling-sizes=4,b",
            "error: --air-runtime-loop-tiling-sizes is '4,b', expected a number, or several",
        ),
        ("two.mlir", "a.mlir, two.mlir\n"),
    ],
)
def test_wrong_values(option: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file := tmp_path / "a.mlir").write_text(TEXT)
    assert main.main([str(file), option]) == 1
    assert message in capsys.readouterr().err
    file.write_bytes(b"\xff")
    assert main.main([str(file)]) == 1
    assert capsys.readouterr().err == f"error: cannot read '{file}': it is not text in UTF-8\n"


def test_a_step_is_no_artifact(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main.main([str(tmp_path / "a.mlir"), "--get=place-tiles"])
    assert "note: --get=place-tiles makes no file here: the steps of a compilation are passes" in capsys.readouterr().err
