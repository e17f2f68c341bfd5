"""Command lines of the cores' compiler that compile nothing."""

import pytest

from allo_air.compat import toolchain


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["-include", "a.h", "-c", "k.cc", "-o", "k.o"],
            '-include a.h is not supported for cores: write #include "a.h"',
        ),
        (["-v", "-c", "none.cc"], "no such file or directory: 'none.cc'"),
        (["-O2"], "no input files"),
        (
            ["--target=aie9-none-unknown-elf", "-c", "k.cc", "-o", "k.o"],
            "unknown target triple 'aie9-none-unknown-elf': there are",
        ),
    ],
)
def test_errors(tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.cc").write_text("")
    assert toolchain.main("clang++", ["--target=aie2-none-unknown-elf", *words]) == 1
    assert f"clang++: error: {message}" in capsys.readouterr().err
    assert not (tmp_path / "k.o").exists()


def test_the_version_alone_is_no_error(capsys):
    assert toolchain.main("clang++", ["-v"]) == 0
    assert "clang version" in capsys.readouterr().err
