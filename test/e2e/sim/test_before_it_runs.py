"""What rules say of designs before they run: by default, in allo-run and in Python, with the code, the line and the cure."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.errors import DiagnosticError
from allo_air.sim.report_types import SimulationError
from allo_air.tools.allo_run import main

CORE = """
module {
  aie.device(DEVICE) {
    %shim = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    %u = aie.tile(0, 3)
    %v = aie.tile(1, 2)
    aie.objectfifo @out(%t, {%shim}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
DECLARED
    %core = aie.core(%t) {
      %z = arith.constant 0 : index
      %one = arith.constant 1 : index
      %n = arith.constant 16 : index
      %x = arith.constant 7 : i32
      %ever = arith.constant 4294967294 : index
      scf.for %r = %z to %ever step %one {
        %s = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
        %m = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
BODY
        scf.for %i = %z to %n step %one {
          memref.store %x, %m[%i] : memref<16xi32>
        }
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    } {stack_size = 2048 : i32}
    aie.runtime_sequence(%q : memref<16xi32>) {
      aiex.npu.dma_memcpy_nd(%q[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {metadata = @out, id = 1 : i64, issue_token = true} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
"""  # noqa: E501


def design(declared: str = "", body: str = "", device: str = "npu2") -> str:
    return CORE.replace("DECLARED", declared).replace("BODY", body).replace("DEVICE", device)


def codes_of(text: str) -> list[tuple[str, str]]:
    report = allo_air.simulate(text, np.zeros(16, np.int32), strict=False)
    return [(f.code, f.diagnostic.severity) for f in report.findings if f.diagnostic.severity != "remark"]


LOAD = "        %w = vector.load %own[%z] : memref<16xi32>, vector<16xi32>"
TABLE = "    %own = aie.buffer(%t) {{address = {} : i32, sym_name = \"own\"}} : memref<16xi32> = dense<1>".format  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (design(), []),
        (design("    aie.cascade_flow(%u, %t)"), []),
        (design("    aie.cascade_flow(%t, %u)"), [("cascade.place", "error")]),
        (design("    aie.cascade_flow(%v, %t)"), [("cascade.place", "error")]),
        (design(body="        %a = memref.alloca() : memref<512xi32>"), []),
        (design(body="        %a = memref.alloca() : memref<520xi32>"), [("memory.stack", "error")]),
        (design(TABLE(4096), LOAD), []),
        (design(TABLE(4100), LOAD), [("align.vector", "error")]),
        (design(TABLE(4128), LOAD), [("align.vector", "warning")]),
        (design(TABLE(4128), LOAD, "npu1"), []),
    ],
)
def test_a_rule_and_its_boundary(text: str, found: list[tuple[str, str]]) -> None:
    assert codes_of(text) == found


def test_an_error_of_a_rule_is_raised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = design("    aie.cascade_flow(%t, %u)")
    with pytest.raises(SimulationError, match="a cascade goes to the south or the east neighbour") as raised:
        allo_air.simulate(text, np.zeros(16, np.int32))
    assert "aie.cascade_flow" in text.split("\n")[raised.value.report.findings[0].line - 1]
    file = tmp_path / "d.mlir"
    file.write_text(text)
    assert main([str(file)]) == 1
    assert capsys.readouterr().err.startswith(
        "wrong: a cascade connects tiles that have no cascade wire between them [cascade.place]\ncure: "
    )


PARTS = """
air.channel @down [1]
func.func @f(%src: memref<96xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%ls=%c1) args(%a=%src) : memref<96xi32> {
    %z = arith.constant 0 : index
    air.channel.put @down[%z] (%a[] [] []) : (memref<96xi32>)
    air.segment @s {
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx=%one, %sy=%one) {
        %hz = arith.constant 0 : index
        %buf = memref.alloc() : memref<32xi32, 2>
        air.channel.get @down[%hz] (%buf[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %buf : memref<32xi32, 2>
      }
    }
  }
  return
}
"""


@pytest.mark.parametrize("options", [[], ["--device", "npu2"], ["--no-check"], ["--at", "channel"]])
def test_ends_of_a_channel_are_counted_in_every_run(
    tmp_path: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "p.mlir"
    file.write_text(PARTS)
    assert main([str(file), "--no-cache", *options] if "--at" not in options else [str(file), *options]) == 1
    assert "@down[0] has 1 put of 384 bytes in all and 1 get of 128 bytes in all" in capsys.readouterr().err
    assert main([str(file), "--json", *options]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], told["findings"][0]["code"]) == ("hangs", "channel.balance")


def test_ends_of_a_channel_are_counted_in_python() -> None:
    with pytest.raises(DiagnosticError, match="256 bytes stay in the channel"):
        allo_air.compile(PARTS, device="npu1", cache=False)


UNRANKED = """
func.func @t(%src: memref<*xi32>, %dst: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%ls=%c1) args(%a=%src, %b=%dst) : memref<*xi32>, memref<64xi32> {
    air.segment @s args(%sa=%a, %sb=%b) : memref<*xi32>, memref<64xi32> {
      %v = memref.reinterpret_cast %sa to offset: [8], sizes: [64], strides: [1] : memref<*xi32> to memref<64xi32, strided<[1], offset: 8>>
      %l2 = memref.alloc() : memref<64xi32, 1>
      memref.copy %v, %l2 : memref<64xi32, strided<[1], offset: 8>> to memref<64xi32, 1>
      memref.copy %l2, %sb : memref<64xi32, 1> to memref<64xi32>
      memref.dealloc %l2 : memref<64xi32, 1>
    }
  }
  return
}
"""  # noqa: E501


def test_an_argument_without_a_rank_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, array = tmp_path / "u.mlir", str(tmp_path / "a.npy")
    file.write_text(UNRANKED)
    np.save(array, np.arange(72, dtype=np.int32))
    assert main([str(file), "--input", array]) == 0
    assert "correct: against the source on the interpreter" in capsys.readouterr().out
    assert main([str(file), "--at", "air", "--input", array]) == 0
    assert main([str(file), "--at", "air"]) == 1
    assert "argument 0 of @t is memref<*xi32>, which has no shape: give its array" in capsys.readouterr().err


TWO_SEQUENCES = """
module {
  aie.device(npu2_2col) @first {
    %s0 = aie.tile(0, 0)
    %s1 = aie.tile(1, 0)
    %a = aie.tile(0, 2)
    %b = aie.tile(1, 2)
    aie.objectfifo @table(%a, {%s0}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @x(%s1, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @y(%b, {%s1}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    %ca = aie.core(%a) {
      %z = arith.constant 0 : index
      %one = arith.constant 1 : index
      %n = arith.constant 16 : index
      %v = arith.constant 42 : i32
      cf.br ^again
    ^again:
      %s = aie.objectfifo.acquire @table(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
      %m = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      scf.for %i = %z to %n step %one {
        memref.store %v, %m[%i] : memref<16xi32>
      }
      aie.objectfifo.release @table(Produce, 1)
      cf.br ^again
    }
    %cb = aie.core(%b) {
      cf.br ^again
    ^again:
      %s = aie.objectfifo.acquire @x(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
      %m = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %t = aie.objectfifo.acquire @y(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
      %o = aie.objectfifo.subview.access %t[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      memref.copy %m, %o : memref<16xi32> to memref<16xi32>
      aie.objectfifo.release @x(Consume, 1)
      aie.objectfifo.release @y(Produce, 1)
      cf.br ^again
    }
    aie.runtime_sequence @copies(%p : memref<16xi32>, %q : memref<16xi32>) {
      aiex.npu.dma_memcpy_nd(%q[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {metadata = @y, id = 1 : i64, issue_token = true} : memref<16xi32>
      aiex.npu.dma_memcpy_nd(%p[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {metadata = @x, id = 0 : i64} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @y}
    }
OTHER
  }
}
"""  # noqa: E501

TAKES = """
    aie.runtime_sequence @takes(%q : memref<16xi32>) {
      aiex.npu.dma_memcpy_nd(%q[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {metadata = @table, id = 1 : i64, issue_token = true} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @table}
    }
"""  # noqa: E501


@pytest.mark.parametrize(("other", "found"), [(TAKES, []), ("", ["stream.left-over"])])
def test_a_core_without_inputs_may_run_ahead_for_another_sequence(other: str, found: list[str]) -> None:
    arrays: list[Any] = [np.arange(16, dtype=np.int32), np.zeros(16, np.int32)]
    text = TWO_SEQUENCES.replace("OTHER", other)
    report = allo_air.simulate(text, *arrays, sequence="copies", strict=False)
    assert [f.code for f in report.findings] == found
