"""Kernels that are lowered apart: the same program as in one module, whatever is verified, with the fork or without it."""

from __future__ import annotations

import pytest

import allo_air
from allo_air.core import two_processes
from allo_air.program.separate_kernels import SeparateKernels
from allo_air.program.source import Source
from allo_air.program.stage import run_stage

TEXT = """
func.func @main(%c: tensor<16x64xf32>, %d: tensor<16x64xf32>, %a: tensor<32x32xi16>, %b: tensor<32x32xi16>)
    -> (tensor<16x64xf32>, tensor<32x32xi32>) {
  %g = tensor.empty() : tensor<16x64xf32>
  %s = linalg.add ins(%c, %d : tensor<16x64xf32>, tensor<16x64xf32>) outs(%g : tensor<16x64xf32>) -> tensor<16x64xf32>
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<32x32xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<32x32xi32>) -> tensor<32x32xi32>
  %m = linalg.matmul ins(%a, %b : tensor<32x32xi16>, tensor<32x32xi16>) outs(%f : tensor<32x32xi32>) -> tensor<32x32xi32>
  return %s, %m : tensor<16x64xf32>, tensor<32x32xi32>
}
"""


def test_what_is_verified_and_the_fork_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = allo_air.compile(TEXT, cache=False)
    with monkeypatch.context() as alone:
        alone.setattr(two_processes, "can_fork", lambda: False)
        verified = allo_air.compile(TEXT, cache=False, verify_each=True)
    assert list(verified.words) == list(plain.words)
    assert all(verified.text(level) == plain.text(level) for level in plain.levels)
    run_stage(Source(plain.text("channel"), "channel"), "channel")
    monkeypatch.setattr(SeparateKernels, "takes", lambda *_: False)
    assert list(allo_air.compile(TEXT, cache=False).words) == list(plain.words)
