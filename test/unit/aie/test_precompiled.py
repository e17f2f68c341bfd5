"""The headers of kernels are precompiled: a kernel sees no more than it includes, and errors read the same."""

import os
from pathlib import Path

import pytest

from allo_air.aie_api import build, precompiled
from allo_air.errors import AlloAirError

SUM = """#include <aie_api/aie.hpp>
extern "C" void sum(bfloat16 *a) {{ aie::store_v(a, aie::add(aie::load_v<16>(a), {addend})); }}
"""


def test_a_kernel_is_compiled_with_them_where_it_includes_the_api(tmp_path: Path) -> None:
    kernel = tmp_path / "sum.cc"
    kernel.write_text(SUM.format(addend="aie::load_v<16>(a + N)"))
    command = build.command("AIE2", {"N": 16}, [])
    expanded = build._expanded(command, kernel)
    words = precompiled.with_headers(command, build._shared("AIE2"), expanded, tmp_path)
    assert words is None or [w for w in words if "headers-" in w]
    assert build.checked(kernel, "AIE2", {"N": 16}, []) == ["sum"]
    assert precompiled.with_headers(command, build._shared("AIE2"), "int i;", tmp_path) is None


def test_macros_do_not_keep_the_precompiled_headers_from_a_kernel(tmp_path: Path) -> None:
    """GCC refuses them where a name in them is a macro: kernels with -DNAME=... took twice as long."""
    tested = "-DAIE_API_EMULATE_BFLOAT16_MMUL_WITH_BFP16"
    command = build.command("AIE2p", {"N": 16, "NAME": "sum", "FLAG": None, tested[2:]: None}, [])
    words = precompiled.with_headers(command, build._shared("AIE2p"), '# 1 "/x/aie_api/aie.hpp"', tmp_path)
    if words is None:
        pytest.skip("the compiler is not GCC")
    assert [w for w in words if w.startswith("-D") and "__" not in w] == [tested]
    (kernel := tmp_path / "kernel.cc").write_text("#if N != 16 || !FLAG\n#error\n#endif\nint NAME;\n")
    done = build._run([*(w for w in words if w != "-w"), "-Winvalid-pch", "-Werror", "-fsyntax-only", str(kernel)])
    assert done.returncode == 0, done.stderr


def test_the_api_is_not_there_for_a_kernel_that_does_not_include_it(tmp_path: Path) -> None:
    kernel = tmp_path / "sum.cc"
    kernel.write_text(SUM.format(addend="a").partition("\n")[2])
    with pytest.raises(AlloAirError, match=r"sum\.cc does not compile for the simulator"):
        build.checked(kernel, "AIE2", {}, [])


def test_errors_are_those_of_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = tmp_path / "sum.cc"
    kernel.write_text(SUM.format(addend="a"))
    messages = []
    for _ in range(2):
        with pytest.raises(AlloAirError) as error:
            build.checked(kernel, "AIE2p", {}, [])
        messages.append(str(error.value))
        monkeypatch.setattr(build, "with_headers", lambda *_: None)
    assert messages[0] == messages[1] and "sum.cc:2" in messages[0]


def test_what_calls_kernels_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = build._shared("AIE2")
    first = precompiled.runtime(flags, tmp_path)
    assert first.exists() and first.parent != tmp_path and precompiled.runtime(flags, tmp_path) == first
    monkeypatch.setattr(precompiled, "user_folder", lambda: None)
    with pytest.raises(AlloAirError, match=r"cannot compile the code that calls kernels; set CXX"):
        precompiled.runtime([*flags, "-std=c++98"], tmp_path)


def test_what_another_process_may_read_is_not_removed(tmp_path: Path) -> None:
    files = [tmp_path / f"runtime-{number}.o" for number in range(8)]
    for number, file in enumerate(files):
        file.touch()
        os.utime(file, (0, number))
    assert sorted(precompiled._unused(files[0], "runtime-*.o")) == files[:3]
    assert precompiled._is_there(files[1]) and not precompiled._is_there(tmp_path / "runtime-9.o")
    assert sorted(precompiled._unused(files[0], "runtime-*.o")) == [files[0], files[2], files[3]]
    assert all(precompiled._is_there(file) for file in files) and not precompiled._unused(files[0], "runtime-*.o")
