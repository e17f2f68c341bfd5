"""Code that runs as the IR says, and of which mlir-aie's tool chain makes something else, is a warning of the run."""

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError

DESIGN = """aie.device({device}) {{
  %t = aie.tile(0, 2)
  %in = aie.buffer(%t) : memref<16xi8> = dense<-3>
  %out = aie.buffer(%t) : memref<16xi32>
  %core = aie.core(%t) {{
    %c0 = arith.constant 0 : index
    %x = vector.load %in[%c0] : memref<16xi8>, vector<16xi8>
    %y = arith.{extend} %x : vector<16xi8> to vector<16xi32>
    %z = arith.{extend} %x : vector<16xi8> to vector<16xi32>
    %s = arith.addi %y, %z : vector<16xi32>
    vector.store %s, %out[%c0] : memref<16xi32>, vector<16xi32>
    aie.end
  }}
  aie.runtime_sequence(%a: memref<16xi32>) {{
  }}
}}
"""


def test_a_warning_for_each_kind():
    report = allo_air.simulate(DESIGN.format(device="npu1", extend="extsi"), np.zeros(16, np.int32))
    [finding] = report.findings
    assert finding.kind == "core-code" and not finding.is_error and report.ok
    assert finding.message.startswith(
        "core-code: 'arith.extsi' op reads the bits of i8 lanes as i16; extend 32 lanes at a time"
    )
    assert (finding.line, finding.count) == (8, 2)


def test_none_where_the_code_is_taken():
    assert allo_air.simulate(DESIGN.format(device="npu2", extend="extui"), np.zeros(16, np.int32)).findings == []


def test_a_loop_that_never_waits_and_never_ends_is_an_error():
    text = """aie.device(npu2) {
  %t = aie.tile(0, 2)
  %out = aie.buffer(%t) : memref<16xi32>
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %last = arith.constant 9223372036854775807 : index
    %x = arith.constant 7 : i32
    scf.for %i = %c0 to %last step %c1 {
      %j = arith.remui %i, %c1 : index
      memref.store %x, %out[%j] : memref<16xi32>
    }
    aie.end
  }
  aie.runtime_sequence(%a: memref<16xi32>) {
  }
}
"""
    with pytest.raises(AlloAirError, match=r"'scf\.for' op never ends: its iterations wait for no lock or stream"):
        allo_air.simulate(text, np.zeros(16, np.int32))


@pytest.mark.parametrize("step", [0, -1])
def test_a_step_that_is_not_positive_is_an_error(step):
    text = f"""aie.device(npu2) {{
  %t = aie.tile(0, 2)
  %out = aie.buffer(%t) : memref<16xi32>
  %core = aie.core(%t) {{
    %zero = arith.constant 0 : index
    %last = arith.constant 4 : index
    %step = arith.constant {step} : index
    %x = arith.constant 7 : i32
    scf.for %i = %zero to %last step %step {{
      memref.store %x, %out[%i] : memref<16xi32>
    }}
    aie.end
  }}
  aie.runtime_sequence(%a: memref<16xi32>) {{
  }}
}}
"""
    with pytest.raises(AlloAirError, match=rf":9:5: error: 'scf\.for' op has step {step}; expected a positive one"):
        allo_air.simulate(text, np.zeros(16, np.int32))
