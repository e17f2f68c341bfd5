"""Saved folders and the cache: what is in them, and what happens when it is not."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.core.registry import Registry
from allo_air.errors import AlloAirError
from allo_air.program import lowering, recipe
from allo_air.program.program import Program
from allo_air.program.source import source_of
from allo_air.program.storage import digest, store
from allo_air.program.storage.cache import Cache

Compiled = Callable[..., Program]


@pytest.fixture
def program(compiled: Compiled) -> Program:
    return compiled(shape=(16, 32, 8), dtype="i32", cols=2)


@pytest.fixture
def saved(program: Program, tmp_path: Path) -> Path:
    program.save(tmp_path / "saved")
    return tmp_path / "saved"


def test_a_folder_holds_every_level_words_and_a_manifest(program: Program, saved: Path) -> None:
    names = sorted(p.name for p in saved.iterdir())
    assert names == sorted([*(f"{i:02}-{level}.mlir" for i, level in enumerate(program.levels)), *store_files()])
    binary = np.fromfile(saved / "insts.bin", dtype="<u4")
    assert binary.tolist() == program.words.tolist()
    assert [int(line, 16) for line in (saved / "insts.txt").read_text().split()] == binary.tolist()
    manifest = json.loads((saved / "manifest.json").read_text())
    assert manifest["pipeline"] == "gemm-i32"
    assert manifest["device"] == "npu1"
    assert manifest["options"] == {"cols": 2}
    assert manifest["versions"]["allo_air"] == allo_air.__version__
    assert [a["shape"] for a in manifest["arguments"]] == [[16, 8], [8, 32], [16, 32]]


def store_files() -> list[str]:
    return [store.BINARY, store.HEX, store.MANIFEST]


def test_load_gives_the_same_program_without_compiling(
    program: Program, saved: Path, monkeypatch: pytest.MonkeyPatch, simulator: Any
) -> None:
    monkeypatch.setattr(lowering, "lower", lambda *_, **__: pytest.fail("compiled again"))
    loaded = allo_air.load(saved)
    assert (loaded.lowered.texts, loaded.lowered.words) == (program.lowered.texts, program.lowered.words)
    assert (loaded.arguments, loaded.device, loaded.macs) == (program.arguments, program.device, program.macs)
    a, b = np.ones((16, 8), np.int32), np.ones((8, 32), np.int32)
    np.testing.assert_array_equal(loaded(a, b), a @ b)


def test_saving_again_replaces_a_program_and_nothing_else(program: Program, saved: Path, tmp_path: Path) -> None:
    (saved / "left.txt").write_text("of an earlier version")
    program.save(saved)
    assert not (saved / "left.txt").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("")
    with pytest.raises(AlloAirError, match="holds something else than a program"):
        program.save(tmp_path / "mine")
    with pytest.raises(AlloAirError, match="it is a file"):
        program.save(tmp_path / "mine/thesis.tex")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine", "saved"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "insts.bin").write_bytes(b"\0\0\0\0"), "insts.bin' is not the file that was saved"),
        (lambda f: (f / "insts.txt").unlink(), "cannot read .*insts.txt': No such file"),
        (lambda f: (f / "manifest.json").unlink(), "is not a folder of a saved program: it has no manifest.json"),
        (lambda f: (f / "manifest.json").write_text("{"), "manifest.json' is damaged"),
        (lambda f: (f / "manifest.json").write_text("[1]"), "is not a manifest of an allo_air program"),
        (lambda f: edit(f, '"gemm-i32"', '"gemm-i16"'), "manifest.json' was changed after it was saved"),
        (lambda f: edit(f, f'"format": {digest.FORMAT}', '"format": 99'), r"format 99, this allo_air reads format 3"),
    ],
)
def test_damaged_folders(damage: Callable[[Path], None], message: str, saved: Path) -> None:
    damage(saved)
    with pytest.raises(store.DamagedError, match=message):
        allo_air.load(saved)


def edit(folder: Path, old: str, new: str) -> None:
    text = (folder / "manifest.json").read_text()
    assert old in text
    (folder / "manifest.json").write_text(text.replace(old, new))


def test_foreign_folders(tmp_path: Path) -> None:
    with pytest.raises(AlloAirError, match="no such folder"):
        allo_air.load(tmp_path / "absent")


def compile_in(folder: Path | None, **options: Any) -> Program:
    return allo_air.compile(shape=(16, 32, 8), dtype="i32", cache_dir=folder, **options)


def test_the_second_time_comes_from_the_cache(tmp_path: Path) -> None:
    first, second = compile_in(tmp_path), compile_in(tmp_path)
    assert (first.cached, second.cached) == (False, True)
    [(entry, _, _)] = Cache(tmp_path).entries()
    assert {".mlir", ".mlirbc"} < {file.suffix for file in entry.iterdir()}  # texts of levels are written when asked for
    assert second.lowered.texts == first.lowered.texts
    assert second.words.tolist() == first.words.tolist()
    assert second.notes == first.notes
    assert not compile_in(tmp_path, cols=2).cached
    assert not compile_in(tmp_path, device="npu1_2col", cols=2).cached
    assert not compile_in(tmp_path, cache=False).cached


def test_what_was_asked_before_needs_no_pipeline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = compile_in(tmp_path, cols=2)
    monkeypatch.setattr(recipe, "recipe_of", lambda *_, **__: pytest.fail("the pipeline is instantiated"))
    second = compile_in(tmp_path, cols=2)
    assert second.cached and (second.pipeline, second.options) == (first.pipeline, first.options) == ("gemm-i32", {"cols": 2})
    assert (second.lowered.texts, second.lowered.words) == (first.lowered.texts, first.lowered.words)
    for other in ({}, {"cols": 1}, {"cols": 2, "device": "npu2"}, {"cols": 2, "verify_each": True}, {"cols": np.int64(2)}):
        with pytest.raises(pytest.fail.Exception, match="instantiated"):
            compile_in(tmp_path, **other)


@pytest.mark.parametrize("damage", ["", "{", '"key"', '{"key": "../kept", "about": {}}', '{"key": 3}'])
def test_a_damaged_note_of_what_was_asked_is_made_again(tmp_path: Path, damage: str) -> None:
    compile_in(tmp_path)
    [note] = (tmp_path / "asked").iterdir()
    whole = note.read_text()
    (tmp_path / "kept").mkdir()
    note.write_text(damage)
    assert compile_in(tmp_path).cached and note.read_text() == whole and (tmp_path / "kept").exists()


def test_pipelines_of_other_packages_are_looked_at_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Registry, "owns_pipeline", lambda *_: False)
    compile_in(tmp_path)
    assert compile_in(tmp_path).cached and not (tmp_path / "asked").exists()


def test_notes_go_with_their_programs(tmp_path: Path) -> None:
    compile_in(tmp_path)
    [(_, size, _)] = Cache(tmp_path).entries()
    compile_in(tmp_path, cols=2, cache_limit=size + size // 2)
    compile_in(tmp_path, cols=2, pipeline="gemm-i32")
    assert len([*(tmp_path / "asked").iterdir()]) == 2
    Cache(tmp_path).clear()
    assert not [*(tmp_path / "asked").iterdir()]


def test_a_damaged_entry_is_compiled_again(tmp_path: Path) -> None:
    first = compile_in(tmp_path)
    [(entry, _, _)] = Cache(tmp_path).entries()
    (entry / "05-npu.mlir").write_text("module {}") if (entry / "05-npu.mlir").exists() else (entry / "insts.bin").write_bytes(
        b""
    )
    second = compile_in(tmp_path)
    assert not second.cached
    assert second.text() == first.text()
    assert compile_in(tmp_path).cached


def test_the_key_knows_what_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_in(tmp_path)
    monkeypatch.setattr(digest, "versions", lambda: {"allo_air": "another"})
    assert not compile_in(tmp_path).cached


def test_the_oldest_go_when_the_cache_is_full(tmp_path: Path) -> None:
    compile_in(tmp_path)
    [(old, size, _)] = Cache(tmp_path).entries()
    compile_in(tmp_path, cols=2, cache_limit=size + size // 2)
    [(new, _, _)] = Cache(tmp_path).entries()
    assert new != old
    assert Cache(tmp_path).clear() == 1
    assert Cache(tmp_path).size() == 0


def test_a_program_in_use_elsewhere_stays(tmp_path: Path) -> None:
    compile_in(tmp_path)
    cache = Cache(tmp_path)
    [(entry, _, _)] = cache.entries()
    with cache._locked(entry.name):
        assert cache.clear() == 0
    assert cache.clear() == 1


def test_a_user_s_cache_that_cannot_be_written_is_no_error_but_a_folder_that_was_named_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert not compile_in(None).cached
    with pytest.raises(AlloAirError, match=r"cannot keep programs in '.*file': Not a directory; name another folder, or none"):
        compile_in(tmp_path / "file")


def test_processes_at_once_compile_once(tmp_path: Path, tools: Path) -> None:
    code = (
        "import sys, allo_air\n"
        "p = allo_air.compile(shape=(16, 32, 8), dtype='i32', cache_dir=sys.argv[1])\n"
        "print(p.cached, len(p.words))"
    )
    command = [tools / "python", "-c", code, tmp_path]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = sorted(p.communicate()[0].split() for p in running)
    assert [s[0] for s in said] == ["False", "True", "True"]
    assert len({s[1] for s in said}) == 1
    assert [p.name for p in (tmp_path / "programs").iterdir()] == [Cache(tmp_path).entries()[0][0].name]


def test_text_of_levels(program: Program) -> None:
    assert "air.herd" in program.text("air")
    assert "aie.runtime_sequence" in program.text("npu") == program.text()
    with pytest.raises(AlloAirError, match="unknown level 'asm'"):
        program.text("asm")


def test_options_change_the_key_and_the_file_s_name_does_not(tmp_path: Path) -> None:
    from allo_air.mlir import new_context

    text = allo_air.Matmul(16, 32, 8, "i32").text
    for name in ("a.mlir", "b.mlir"):
        (tmp_path / name).write_text(text)
    with new_context():
        chosen = recipe.recipe_of("gemm-i32", "npu1", {})
        other = recipe.recipe_of("gemm-i32", "npu1", {"cols": 2})
        keys = {digest.key(source_of(tmp_path / n), chosen, verify="verify") for n in ("a.mlir", "b.mlir")}
        assert len(keys) == 1
        assert digest.key(source_of(tmp_path / "a.mlir"), other, verify="verify") not in keys


def test_a_result_in_two_words_comes_back(tmp_path: Path) -> None:
    source = """func.func @f(%a: tensor<4xi64>, %b: tensor<4xi64>) -> tensor<4xi64> {
      %e = tensor.empty() : tensor<4xi64>
      %r = linalg.mul ins(%a, %b : tensor<4xi64>, tensor<4xi64>) outs(%e : tensor<4xi64>) -> tensor<4xi64>
      return %r : tensor<4xi64>
    }"""
    program = allo_air.compile(source, cache=False)
    program.save(tmp_path / "saved")
    a, b = np.array([2**40, -1, 3, 0]), np.array([3, 2**50, -7, 9])
    np.testing.assert_array_equal(allo_air.load(tmp_path / "saved")(a, b), a * b)
