"""Times of runs, predicted by the simulator; they are the same in every run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Benchmark:
    """Microseconds on the NPU, as predicted."""

    avg_us: float
    min_us: float
    max_us: float


BenchmarkResult = Benchmark


def run_iters(fn: Callable[..., Any], *args: object, warmup: int = 0, iters: int = 1, **kwargs: object) -> Benchmark:
    """Runs `fn` once, for any `warmup` and `iters`: the simulator is deterministic."""
    _, result = fn(*args, **kwargs)
    microseconds = float(result.npu_time) / 1e3
    return Benchmark(microseconds, microseconds, microseconds)


def print_benchmark(bench: Benchmark, ops: float | None = None) -> None:
    """Prints the time in IRON's format, and says that it is predicted."""
    print(f"NPU time     (avg/min/max us): {bench.avg_us:.1f} / {bench.min_us:.1f} / {bench.max_us:.1f} (predicted)")
    if ops:
        print(f"NPU GFLOPS: {ops / bench.avg_us / 1e3:.2f} (predicted)")
