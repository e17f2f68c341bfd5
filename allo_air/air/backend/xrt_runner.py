"""`XRTRunner`: runs a module on given inputs and compares its outputs; `type_mapper`: MLIR's type for a numpy dtype."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from allo_air.air.arguments import explained
from allo_air.air.backend import options as xrt_options
from allo_air.air.backend.xrt import XRTBackend
from allo_air.errors import AlloAirError, counted

if TYPE_CHECKING:
    from argparse import Namespace

    import numpy as np

__all__ = ["XRTRunner", "make_air_parser", "run_on_npu", "type_mapper"]


def type_mapper(np_dtype: object) -> Any:
    """The MLIR type of a numpy dtype, in the current context."""
    from allo_air.dtypes import element_of
    from allo_air.mlir import ir

    return ir.Type.parse(element_of(np_dtype))


class XRTRunner:
    """Options are those of `XRTBackend`. With `n_perf_iters` the predicted latency is printed, in the form of a measured one,
    and stored in `last_latency_us` (with `perf_flops`, also a throughput). `n_warmup_iters` has no effect, since the
    simulator's time does not vary. With `report_precision`, the error of each output is printed.
    """

    def __init__(
        self,
        verbose: bool = False,
        *,
        n_perf_iters: int = 0,
        n_warmup_iters: int = 10,
        perf_flops: float | None = None,
        report_precision: bool = False,
        **options: Any,
    ):
        xrt_options.check("XRTRunner", options, [n for n in signature(XRTRunner).parameters if n != "options"])
        self.verbose = verbose
        self.options = options
        self.n_perf_iters, self.n_warmup_iters, self.perf_flops = n_perf_iters, n_warmup_iters, perf_flops
        self.report_precision = report_precision
        self.last_latency_us: float | None = None

    @explained
    def run_test(
        self,
        mlir_module: Any,
        inputs: Sequence[object],
        expected_outputs: Sequence[object] = (),
        stochastic_expected_outputs: Sequence[Mapping[str, np.ndarray]] = (),
        rtol: float = 1e-3,
        atol: float = 1e-8,
        max_mismatch_percentage: float = 0,
        min_correlation: float | None = None,
    ) -> int:
        """Returns 0 and prints "PASS!" if the outputs, the arguments after the inputs, are as expected; otherwise returns -1
        and prints the differences.

        Integers must be equal, floats within `rtol` and `atol` except for `max_mismatch_percentage` of them. A stochastic
        output is known at some places: `{"shape": (M, N), "indices": (rows, cols), "values": array}`.
        """
        import numpy as np

        if not expected_outputs and not stochastic_expected_outputs:
            raise AlloAirError("run_test has nothing to compare with: give expected_outputs or stochastic_expected_outputs")
        expected = [np.asarray(e) for e in expected_outputs]
        blank = [np.zeros(e.shape, e.dtype) for e in expected]
        blank += [np.zeros(s["shape"], np.asarray(s["values"]).dtype) for s in stochastic_expected_outputs]
        backend = XRTBackend(self.verbose, **self.options)
        result = backend.compile_and_load(mlir_module)(*inputs, *blank)[len(inputs) :]
        self._tell_latency(backend.last_latency_us)
        backend.unload()
        places = [tuple(np.asarray(i) for i in s["indices"]) for s in stochastic_expected_outputs]
        some = [f[p] for f, p in zip(result[len(expected) :], places, strict=True)]
        references = expected + [np.asarray(s["values"]) for s in stochastic_expected_outputs]
        for number, (got, want) in enumerate(zip([*result[: len(expected)], *some], references, strict=True)):
            if self.report_precision:
                print(_precision(number, got, want))
            if problem := _problem(got, want, rtol, atol, max_mismatch_percentage, min_correlation):
                print(f"failed: output {number}: {problem}")
                return -1
        print("PASS!")
        return 0

    def _tell_latency(self, microseconds: float | None) -> None:
        """Prints the predicted latency, if `n_perf_iters` requests it."""
        self.last_latency_us = microseconds
        if not self.n_perf_iters or microseconds is None:
            return
        flops = self.perf_flops
        rate = f" | Throughput: {flops / microseconds / 1e3:.1e} GFLOP/s" if flops and microseconds else ""
        print(f"Latency (us): {microseconds:.1f}{rate}")


def _precision(number: int, got: np.ndarray, want: np.ndarray) -> str:
    """The line that reports the error of output `number`."""
    import numpy as np

    a, b = got.astype(np.float64).reshape(-1), want.astype(np.float64).reshape(-1)
    off, size = np.abs(a - b), np.abs(b)
    mean = off.sum() / max(size.sum(), 1e-30)
    relative = (off / np.maximum(size, 1e-30)).max(initial=0.0)
    return (
        f"[precision] Output {number} ({counted(a.size, 'element')}): mean_rel_L1={mean:.3e} | rel_err max={relative:.3e} | "
        f"abs_err max={off.max(initial=0.0):.3e}"
    )


def make_air_parser(description: str = "", **kwargs: Any) -> ArgumentParser:
    """A parser of the options that programs share, for `run_on_npu`."""
    parser = ArgumentParser(description=description, **kwargs)
    parser.add_argument("-v", "--verbose", action="store_true", help="print each step")
    parser.add_argument("-p", "--print-module-only", action="store_true", help="print the module, and do no more")
    modes = ["compile-only", "compile-and-run"]
    parser.add_argument("--compile-mode", choices=modes, default="compile-and-run", help="whether to run it")
    parser.add_argument("--output-format", choices=["xclbin", "elf"], default="xclbin", help="taken, as in MLIR-AIR")
    parser.add_argument("--target-device", default=None, help="npu1, npu2 or one of their column subsets")
    return parser


def run_on_npu(
    args: Namespace, mlir_module: object, inputs: Sequence[np.ndarray], instance_name: str = "", **options: Any
) -> int:
    """Prints, compiles or runs `mlir_module` by `args`, the options of `make_air_parser`; returns 0 on success. `options` are
    those of `XRTRunner.run_test` (expected outputs and tolerances) and of `XRTBackend`.
    """
    if args.print_module_only:
        print(mlir_module)
        return 0
    test = {n: options.pop(n) for n in tuple(options) if n in signature(XRTRunner.run_test).parameters}
    values = {"output_format": args.output_format, "target_device": args.target_device, "instance_name": instance_name}
    if args.compile_mode == "compile-only":
        XRTBackend(args.verbose, **{**values, **options}).compile(mlir_module)
        return 0
    return XRTRunner(args.verbose, **{**values, **options}).run_test(mlir_module, inputs, **test)


def _problem(got: np.ndarray, want: np.ndarray, rtol: float, atol: float, most: float, correlation: float | None) -> str:
    """The mismatch of an output, or an empty text."""
    import numpy as np

    if np.issubdtype(want.dtype, np.integer) or want.dtype == bool:
        close = got == want
    else:
        a, b = got.astype(np.float64), want.astype(np.float64)
        close = np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
        if correlation is not None and (result := float(np.corrcoef(a.reshape(-1), b.reshape(-1))[0, 1])) < correlation:
            return f"correlation {result:.6f}, expected {correlation}"
    wrong = np.argwhere(~close)
    if 100.0 * len(wrong) <= most * close.size:
        return ""
    first = tuple(int(i) for i in wrong[0])
    return f"{len(wrong)} of {close.size} elements differ, the first at {list(first)}: {got[first]}, expected {want[first]}"
