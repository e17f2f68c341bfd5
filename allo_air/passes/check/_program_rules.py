"""All checks of an AIR program before it is lowered or run."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from allo_air.core.constants import constant_of
from allo_air.core.names import channel_of
from allo_air.core.walking import walk_named
from allo_air.device import DEVICES
from allo_air.errors import nearest, suggestion
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._balance import check_balance
from allo_air.passes.check._channels import bundles
from allo_air.passes.check._unrolled_events import unroll_all
from allo_air.passes.check._values import TRANSFERS

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

MAX_STEPS = 20_000
"""Largest number of steps of the abstract run of a function."""


def check_program(op: AnyOp, findings: Findings) -> None:
    """Reports herds with more cores than any device, and channels whose puts and gets move different numbers of bytes.

    Races and deadlocks depend on the order that the lowering chooses, where tokens allow several, so the simulator reports
    them.
    """
    most = max(len(device.core_rows) * device.columns for device in DEVICES.values())
    for herd in walk_named(op, "air.herd"):
        sizes = [size for v in herd.opview.sizes if (size := constant_of(v)) is not None]
        if prod(sizes) > most:
            cores = "x".join(map(str, sizes))
            findings.error(herd, f"has {cores} cores; the largest device has {most}; make it smaller, and loop in its cores")
            return
    channels = bundles(op)
    unknown = [t for t in walk_named(op, *TRANSFERS) if channel_of(t) not in channels]
    for transfer in unknown:
        name = channel_of(transfer)
        meant = suggestion(nearest(name, channels))
        findings.error(transfer, f"uses '@{name}', and the module declares no such channel{meant}")
    if unknown:
        return
    findings.code = "channel.balance"
    check_balance(channels, unroll_all(op, channels, MAX_STEPS), findings, lowered=bool(walk_named(op, "aie.device")))
    findings.code = ""
