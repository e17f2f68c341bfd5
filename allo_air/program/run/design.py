"""A device with its runtime sequence, prepared for runs: operations above the hardware's level are lowered once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from allo_air.core import crash
from allo_air.core.calls import KERNELS, WORDS
from allo_air.core.diagnostics import emit
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.dialects.host_shapes import host_shapes
from allo_air.errors import AlloAirError, placeless
from allo_air.mlir import AnyOp, ir
from allo_air.program.host.arrays import to_device
from allo_air.program.host.signature import Argument, declared
from allo_air.program.host.transfers import roles_in
from allo_air.program.run import core_code, static_rules
from allo_air.program.run.control_packets import with_packets
from allo_air.program.run.large_transfers import lower_large_transfers
from allo_air.program.run.object_fifos import lower_object_fifos
from allo_air.program.run.parameters import lower_parameters
from allo_air.program.run.traces import lower_traces
from allo_air.sim import policy
from allo_air.sim.report_types import Finding, Report, SimulationError
from allo_air.sim.settings import Settings
from allo_air.sim.simulate import Simulation
from allo_air.target.npu_values import Values, bind, scalars
from allo_air.target.sequences import choose_sequence

if TYPE_CHECKING:
    import numpy as np


class Design:
    """A runtime sequence of `module`, which is changed. `device` and `sequence` name it if there are several.

    `values` are its scalar arguments; the design has none.
    """

    def __init__(
        self, module: AnyOp, device: str | None = None, sequence: str | None = None, values: Values | None = None
    ) -> None:
        self.module, self._names = module, (device, sequence)
        with module.context, ir.Location.unknown(module.context):
            lower_object_fifos(module)
            lower_parameters(module)
            self.device, self.sequence = choose_sequence(module, device, sequence)
            if values or scalars(self.sequence):
                bind(self.sequence, values or {})
            lower_large_transfers(module, self.sequence)
        self._count = len(self.sequence.body.blocks[0].arguments)
        self._simulation: Simulation | None = None
        self._extra_arrays: list[Any] = []
        self._doubts: list[Finding] | None = None

    @cached_property
    def roles(self) -> dict[int, Any]:
        """The roles of the arguments according to the instruction words; empty if these cannot be written."""
        with self.module.context, ir.Location.unknown(self.module.context):
            return roles_in(self.module, self.device.sym_name, self.sequence.sym_name)

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """The host's buffers with the caller's shapes; `inout` if the instruction words do not say a direction."""
        return tuple(declared(self.sequence.operation, self.roles, "in" if self.roles else "inout")[: self._count])

    def device_arrays(self, arrays: Sequence[Any]) -> list[Any]:
        """`arrays` as the device needs them: arrays with the shape from before `pad-families` are padded with zeros.

        Raises AlloAirError if an array has neither that shape nor the device's.
        """
        if not host_shapes(self.sequence.operation):
            return list(arrays)
        result, name = list(arrays), f"@{self.sequence.sym_name}"
        for i, (array, a) in enumerate(zip(arrays, self.arguments, strict=False)):
            if (a.shape == a.padded and a.layout is None) or getattr(array, "shape", a.padded) == a.padded:
                continue
            if array.shape != a.shape:
                own, inside, passed = ("x".join(map(str, s)) for s in (a.shape, a.padded, array.shape))
                raise AlloAirError(
                    f"argument {i} of {name} is {own}, padded to {inside} on the device; the array given is {passed}"
                )
            if not array.flags.writeable:
                raise AlloAirError(f"argument {i} of {name} is read-only, and results are written in place")
            result[i] = to_device(a, array)
        return result

    @cached_property
    def _external(self) -> list[str]:
        functions = walk_named(self.module, "func.func")
        return [sym_name_of(f) for f in functions if not f.regions[0].blocks]

    def run(
        self,
        arrays: Sequence[np.ndarray],
        *,
        kernels: Mapping[str, object] | None = None,
        words: Sequence[int] | None = None,
        **settings: Any,
    ) -> Report:
        """Runs on the device's `arrays`. For other arguments, see `allo_air.sim.simulate.simulate`."""
        kernels, words = (KERNELS | None).checked("kernels", kernels), (WORDS | None).checked("words", words)
        crash.record_step("simulating")
        with self.module.context, ir.Location.unknown(self.module.context):
            if self._simulation is None:
                self._prepare(arrays)
            assert self._simulation is not None
            self._tell_unused(kernels or {})
            values = [*arrays, *(array.copy() for array in self._extra_arrays)]
            chosen = Settings(**settings)
            if self._doubts is None:  # determined while LLVM compiles the cores' code
                self._simulation.begin(values, chosen, kernels or {})
                self._doubts = core_code.findings(self._simulation.device, self._simulation.programs)
                self._doubts += static_rules.findings(self._simulation.device)
            rules = policy.current()
            try:
                lenient = replace(chosen, strict=False) if rules.softens else chosen
                report = self._simulation.run(values, lenient, kernels or {}, words)
            except SimulationError as error:
                report = error.report
            report.findings = rules.applied_to([*report.findings, *self._doubts])
            if chosen.strict and not report.ok:
                raise SimulationError(report)
            for finding in report.findings:
                if finding in self._doubts and finding.diagnostic.severity == "warning":
                    emit(finding.diagnostic)
        return report

    def estimate(self, *, kernels: Mapping[str, Any] | None = None, steady: bool = True, **settings: Any) -> Report:
        """Predicts the time of a run without arrays. For the arguments, see `allo_air.sim.simulate.Simulation.estimate`."""
        kernels = (KERNELS | None).checked("kernels", kernels)
        crash.record_step("estimating")
        with self.module.context, ir.Location.unknown(self.module.context):
            if self._simulation is None:
                self._prepare([None] * self._count)
            assert self._simulation is not None
            self._tell_unused(kernels or {})
            return self._simulation.estimate(Settings(**settings), kernels or {}, steady=steady)

    def _tell_unused(self, kernels: Mapping[str, object]) -> None:
        """Warns about each of `kernels` that replaces no function. One file may define more functions than are called."""
        files = [kernels[n] for n in self._external if n in kernels and not callable(kernels[n])]
        for name in [n for n in kernels if n not in self._external and kernels[n] not in files]:
            alternatives = f"external functions are {', '.join(self._external)}" if self._external else "there are none"
            emit(
                placeless("warning", f"kernels= has '{name}', which is not an external function of the design; {alternatives}")
            )

    def _prepare(self, arrays: Sequence[np.ndarray | None]) -> None:
        """Lowers declared traces and control packets; their buffers are added to `arrays`."""
        all_arrays = with_packets(self.module, lower_traces(self.module, arrays, *self._names), *self._names)
        self._extra_arrays = all_arrays[len(arrays) :]
        self._simulation = Simulation(self.module, *self._names)
