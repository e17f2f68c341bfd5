"""Lowered kernels in the cache: which are there for another program, another process, and which are not."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import allo_air
from allo_air.mlir import ir, new_context
from allo_air.program import separate_kernels
from allo_air.program.canonical import canonical, text_of
from allo_air.program.storage import digest
from allo_air.program.storage.cache import Cache, LimitWarning

TEXT = """
func.func @main(%c: tensor<4x96xf32>, %d: tensor<4x96xf32>, %a: tensor<32x32xi16>) -> (tensor<4x96xf32>, tensor<32x32xi32>) {
  %g = tensor.empty() : tensor<4x96xf32>
  %s = linalg.add ins(%c, %d : tensor<4x96xf32>, tensor<4x96xf32>) outs(%g : tensor<4x96xf32>) -> tensor<4x96xf32>
  %b = arith.constant dense_resource<w> : tensor<32x32xi16>
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<32x32xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<32x32xi32>) -> tensor<32x32xi32>
  %m = linalg.matmul ins(%a, %b : tensor<32x32xi16>, tensor<32x32xi16>) outs(%f : tensor<32x32xi32>) -> tensor<32x32xi32>
  return %s, %m : tensor<4x96xf32>, tensor<32x32xi32>
}
"""
"""Two kernels; one has weights."""


def text(weight: int = 1) -> str:
    data = np.full((32, 32), weight, np.int16).tobytes().hex()
    return TEXT + f'{{-# dialect_resources: {{ builtin: {{ w: "0x02000000{data}" }} }} #-}}\n'


def compiled(folder: Path, source: str, **options) -> allo_air.Program:
    return allo_air.compile(source, cache_dir=folder, **options)


def counts(program: allo_air.Program) -> tuple[int, int]:
    return program.lowered.reuse.kernels, program.lowered.reuse.cached


def run(program: allo_air.Program) -> list[np.ndarray]:
    ones, numbers = np.ones((4, 96), np.float32), np.arange(1024, dtype=np.int16).reshape(32, 32)
    return list(program(ones, ones, numbers))


def test_other_weights_names_and_lines_find_the_kernels(tmp_path: Path) -> None:
    first = compiled(tmp_path, text())
    assert counts(first) == (2, 0) and "2 lowered, 0 from the cache" in first.compiled
    other = "\n\n" + text(3).replace("@main", "@other")
    program, alone = compiled(tmp_path, other), allo_air.compile(other, cache=False)
    assert not program.cached and counts(program) == (2, 2) and "0 lowered, 2 from the cache" in program.compiled
    assert list(program.words) == list(alone.words) and program.explain() == alone.explain()
    assert all(program.text(level) == alone.text(level) for level in program.levels)
    sums, products = run(program)
    assert (sums == 2).all() and (products == 3 * np.arange(1024).reshape(32, 32).sum(1, keepdims=True)).all()
    assert compiled(tmp_path, other).compiled == "the program comes from the cache"


def test_other_options_devices_and_versions_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(tmp_path, text())
    assert counts(compiled(tmp_path, text(), device="npu2")) == (2, 0)
    assert counts(compiled(tmp_path, text(), verify_each=True)) == (2, 0)
    assert counts(compiled(tmp_path, text(), cols=1)) == (2, 0)
    monkeypatch.setattr(digest, "versions", lambda: {"allo_air": "another"})
    assert counts(compiled(tmp_path, text())) == (2, 0)


def test_a_damaged_kernel_is_lowered_again(tmp_path: Path) -> None:
    compiled(tmp_path, text())
    first, second = sorted((tmp_path / "kernels").iterdir())
    whole = first.read_bytes()
    first.write_bytes(whole[:-9] + b"elsewhere")
    second.write_bytes(b"")
    again = compiled(tmp_path, text(2))
    assert counts(again) == (2, 0) and (run(again)[0] == 2).all()
    assert first.read_bytes() == whole
    assert counts(compiled(tmp_path, text(4))) == (2, 2)


def test_another_process_finds_all_and_two_at_once_do_no_harm(tmp_path: Path, tools: Path) -> None:
    code = (
        "import allo_air, sys\n"
        "p = allo_air.compile(sys.argv[2], cache_dir=sys.argv[1])\n"
        "print(p.lowered.reuse.cached, sum(map(int, p.words)))"
    )

    def one(weight: int) -> list[str]:
        command = [tools / "python", "-c", code, tmp_path, text(weight)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(one, (1, 2)))
    assert results[0][1] == results[1][1]
    assert one(3) == ["2", results[0][1]]
    assert not list((tmp_path / "kernels").glob(".*"))


def test_equal_kernels_are_lowered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = list[str]()

    def taken(module: ir.Operation, skipped: str):
        made = canonical(module, skipped)
        texts.append(text_of(made[0]) if made else "")
        return made

    monkeypatch.setattr(separate_kernels, "canonical", taken)
    program = compiled(tmp_path, text())
    assert len(set(texts)) == 2 and program.lowered.reuse.equal == 0
    assert not any("main" in text or "<text>" in text for text in texts)


def test_a_program_above_the_limit_warns_and_drives_out_no_other(tmp_path: Path) -> None:
    small = allo_air.compile(shape=(16, 32, 8), dtype="i32", cache_dir=tmp_path)
    size = Cache(tmp_path).size()
    with pytest.warns(LimitWarning, match=r"the program has [\d,]+ bytes, .* may hold .*: it is not kept"):
        compiled(tmp_path, text(), cache_limit=size + 40_000)
    assert allo_air.compile(shape=(16, 32, 8), dtype="i32", cache_dir=tmp_path).cached and not small.cached


def test_kernels_count_and_go_with_the_programs(tmp_path: Path) -> None:
    compiled(tmp_path, text())
    cache = Cache(tmp_path)
    assert len(cache.stored_kernels()) == 2
    files = [file for part in ("programs", "kernels") for file in (tmp_path / part).rglob("*") if file.is_file()]
    assert cache.size() == sum(file.stat().st_size for file in files)
    assert cache.clear() == 1 and cache.size() == 0 and not cache.stored_kernels()


def test_names_and_places_are_put_back() -> None:
    source = """
memref.global "private" constant @table : memref<2xi32> = dense<[1, 2]> loc("a.py":3:4)
func.func @f(%a: i32 loc(fused["x.py":1:2, "layer"])) -> i32 {
  %t = memref.get_global @table : memref<2xi32> loc(callsite("y.py":5:6 at "z.py":7:8))
  return %a : i32 loc("x.py":9:1)
} loc("x.py":1:1)
func.func @caller() { return }
"""
    with new_context():
        module = ir.Module.parse(source).operation
        made = canonical(module, "caller")
        assert made is not None
        text, labels = text_of(made[0]), made[1]
        assert labels.symbols == ("table", "f") and not any(word in text for word in ("table", ".py", "layer"))
        assert canonical(made[0], "caller") is None
        lowered, other = made[0].clone().operation, made[0].clone().operation
        lowered.attributes["names"] = ir.Attribute.parse('["__kernel1___0", {of = @__kernel0__::@x}, "__kernel__"]')
        module.attributes["names"] = ir.Attribute.parse('["f_0", {of = @table::@x}, "__kernel__"]')
        assert labels.put_on(lowered) is lowered
        assert text_of(lowered) == text_of(module)
        assert replace(labels, symbols=("other", "g")).put_on(other).get_asm().count("@other") == 2


def test_restoring_places_parses_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(f'  %{n} = arith.constant {n} : i32 loc("a.py":{n % 2}:1)\n' for n in range(50))
    with new_context():
        module = ir.Module.parse(f"func.func @f() {{\n{lines}  return\n}}").operation
        made = canonical(module, "")
        assert made is not None
        texts, parse = list[str](), ir.Module.parse
        monkeypatch.setattr(separate_kernels.ir.Module, "parse", lambda text: texts.append(text) or parse(text))
        assert text_of(made[1].put_on(made[0])) == text_of(module)
        assert len(texts) == len(made[1].places) < 10
