"""A bounded run of fuzz_assembly.py, and inputs that are not programs at all."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.errors import DiagnosticError


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz_assembly", Path(__file__).with_name("fuzz_assembly.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzz_assembly"] = module
    spec.loader.exec_module(module)
    return module


def test_damaged_programs() -> None:
    assert load().run(60) == []


@pytest.mark.parametrize("text", ["", "\n\n", "// only this", "\r\n"])
def test_nothing_is_an_empty_module(text: str) -> None:
    with reused_context():
        assert asm.write(asm.read(text)) == "module {\n}\n"


@pytest.mark.parametrize(
    "text", ['"', "module {", "}", "aie.device(", "air.herd", '"air.herd"', "loc(", "#x = ", "é", "\ufeff"]
)
def test_scraps_are_errors(text: str) -> None:
    with reused_context(), pytest.raises(DiagnosticError):
        asm.read(text)


NESTS = {
    "brackets": ("module attributes {a = ", "[", "]", "} {}"),
    "types": ("func.func private @f(", "tuple<", ">", ")"),
    "regions": ("", '"a.b"() ({', "}) : () -> ()", ""),
    "segments": ("", "air.segment {\n", "}\n", ""),
    "launches": ("", "air.launch () in () {", "}", ""),
    "devices": ("", "aie.device(npu1) {", "}", ""),
    "signs": ("#m = affine_map<(d0) -> (", "-", "", "d0)>\nmodule {}"),
    "open": ("", "{(<[", "", ""),
    "closed": ("", "", "]>)}", ""),
}


@pytest.mark.parametrize("name", NESTS)
@pytest.mark.parametrize("depth", [30, 500, 5_000, 100_000])
def test_deep_nesting_is_read_or_refused(name: str, depth: int) -> None:
    head, opening, closing, tail = NESTS[name]
    with reused_context():
        try:
            asm.read(head + opening * depth + closing * depth + tail)
        except DiagnosticError as error:
            assert error.diagnostics[0].line >= 1


@pytest.mark.parametrize(("sigil", "first"), [("#", "[]"), ("!", "i1")])
def test_chains_of_aliases_are_read_or_refused(sigil: str, first: str) -> None:
    wrap = "[{}]" if sigil == "#" else "tuple<{}>"
    lines = [f"{sigil}a0 = {first}"] + [f"{sigil}a{i} = {wrap.format(f'{sigil}a{i - 1}')}" for i in range(1, 100_000)]
    with reused_context(), pytest.raises(DiagnosticError, match="aliases nested deeper"):
        asm.read("\n".join(lines) + "\nmodule {}")


@pytest.mark.parametrize("separator", [" ", "\n"])
def test_many_operations_take_time_in_proportion(separator: str) -> None:
    head = "func.func @f(%a: memref<4xi32>, %c: index) {\n"
    body = separator.join(["air.dma_memcpy_nd (%a[%c] [%c] [%c], %a[] [] []) : (memref<4xi32>, memref<4xi32>)"] * 5_000)
    with reused_context():
        assert asm.write(asm.read(f"{head}{body}\nreturn }}")).count("air.dma_memcpy_nd") == 5_000
