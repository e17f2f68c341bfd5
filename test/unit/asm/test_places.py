"""Errors point at the user's line and column, also where the text was rewritten before MLIR parsed it: `§` marks the place."""

import pytest

from allo_air import asm
from allo_air.errors import DiagnosticError
from allo_air.mlir import new_context

DEVICE = "aie.device(npu1) {\n  %t = aie.tile(0, 2)\n  "
FUNC = "func.func @f(%c: index) {"
CASES = {
    "our parser": DEVICE + "aie.tile(0, §x)\n}",
    "our rule": DEVICE + "§aie.tile(0, 99)\n}",
    "our rule, second on its line": DEVICE + "%l = aie.lock(%t, 0) §aie.tile(0, 99)\n}",
    "our rule, on the device's line": "aie.device(npu1) { §aie.tile(0, 99) }",
    "unknown keyword": DEVICE + "aie.flow(%t, §Foo : 0, %t, DMA : 0)\n}",
    "undeclared operand": DEVICE + "aie.flow(%t, DMA : 0, §%zz, DMA : 0)\n}",
    "operand on a later line": DEVICE + "aie.flow(%t,\n   DMA : 0,\n   §%zz, DMA : 0)\n}",
    "operand of the second on its line": DEVICE + "%l = aie.lock(%t, 0) aie.use_lock(§%q, Acquire, 1)\n}",
    "size of a hierarchy": FUNC + "\n  air.herd tile (%x) in (%sx=§%nope) { }\n return }",
    "MLIR's operation in a herd": FUNC
    + "\n  air.herd tile (%x) in (%sx=%c) {\n %u = arith.addi %x, §%d : index\n }\n return }",
    "MLIR's operation on the herd's line": FUNC
    + "\n  air.herd tile (%x) in (%sx=%c) { %u = arith.addi %x, §%d : index }\n return }",
    "operation without a dialect": "§foo",
    "operation without a module": "%c = arith.constant 1 : index\n%d = arith.addi %c, §%e : index",
    "unknown operation": "module {\n  §air.foo\n}",
    "attribute": 'module {\n  §air.channel @c [1] {channel_type = "bad"}\n}',
    "number too large": DEVICE
    + "aie.runtime_sequence() {\n aiex.npu.write32 {address = 1 : ui32, value = §999999999999 : ui32}\n}\n}",
    "Windows line ends": "func.func @f() {\r\n  air.wait_all [§%q]\r\n return }",
    "tabs": "func.func @f() {\n\t%0 = air.wait_all async [§%q]\n return }",
    "comment before": "func.func @f() { // air.herd {\n  air.wait_all // [%q]\n [§%q]\n return }",
    "no closing brace": "module {\n  aie.device(npu1) {\n  }\n§",
}


@pytest.mark.parametrize("first_line", [1, 11])
@pytest.mark.parametrize("name", CASES)
def test_place(name: str, first_line: int) -> None:
    marked = CASES[name]
    before = marked[: marked.index("§")]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    with new_context(), pytest.raises(DiagnosticError) as caught:
        asm.read(marked.replace("§", ""), "case.mlir", first_line=first_line)
    found = next(d for d in caught.value.diagnostics if d.severity == "error")
    if name == "no closing brace":  # MLIR points after the last token
        assert found.line in (line + first_line - 2, line + first_line - 1)
    else:
        assert (found.file, found.line, found.column) == ("case.mlir", line + first_line - 1, column), found
