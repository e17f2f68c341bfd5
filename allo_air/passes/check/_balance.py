"""Checks that the puts and the gets of each channel move equally many bytes, and that indices are inside the bundle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allo_air.core.walking import walk_named
from allo_air.dialects.operands import memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._channels import Bundle
from allo_air.passes.check._events import Event, Program
from allo_air.passes.check._values import TRANSFERS

_REFEED = "air.refeed_count"
_ELSEWHERE = ("gpu_symmetric_heap",)
"""Channel types whose transfers are not matched one to one."""


@dataclass
class _Side:
    """The puts, or the gets, of one channel."""

    events: list[Event] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(e.times for e in self.events)

    @property
    def bytes(self) -> int:
        return sum(e.times * (e.bytes or 0) for e in self.events)

    @property
    def is_known(self) -> bool:
        return all(e.bytes is not None for e in self.events)

    def text(self, noun: str) -> str:
        return f"{self.count} {noun}{'' if self.count == 1 else 's'} of {self.bytes:,} bytes in all"


def check_balance(channels: dict[str, Bundle], programs: list[Program], findings: Findings, *, lowered: bool) -> None:
    """Reports bundles that cannot be broadcast, indices outside of a bundle, and channels that do not balance.

    With `lowered`, part of the program is already in an `aie.device`. A channel with only puts or only gets is then
    undecided.
    """
    for bundle in channels.values():
        if not bundle.fits:
            findings.error(
                bundle.op,
                f"broadcast_shape {list(bundle.shape)} does not fit size {list(bundle.size)}: both need the same rank, and"
                " sizes may differ only where size is 1",
            )
    for program in programs:
        for op, bundle, indices in program.outside:
            extent = bundle.size if op.name == "air.channel.put" else bundle.shape
            findings.error(
                op,
                f"uses channel {indices} of @{bundle.name}, whose {op.name[-3:]}s have {list(extent)} channels; enlarge the"
                " bundle, or correct the indices",
                (bundle.op, "the bundle"),
            )
    unsure = _unsure(programs, findings)
    puts, gets = _sides(programs, is_put=True), _sides(programs, is_put=False)
    for bundle in channels.values():
        if bundle.fits and bundle.name not in unsure and bundle.op.channel_type.removeprefix("npu_") not in _ELSEWHERE:
            _check_bundle(bundle, puts, gets, findings, lowered=lowered)


def _sides(programs: list[Program], *, is_put: bool) -> dict[Any, _Side]:
    sides: dict[Any, _Side] = {}
    for event in (e for p in programs for e in p.events):
        if event.element is not None and event.is_put is is_put:
            sides.setdefault(event.element, _Side()).events.append(event)
    return sides


def _unsure(programs: list[Program], findings: Findings) -> set[str]:
    """The bundles that cannot be checked: some of their uses were not unrolled, or have wrong indices. Reports the former as
    undecided.
    """
    names: set[str] = set()
    for program in programs:
        names |= {bundle.name for _, bundle, _ in program.outside}
        for op, why in program.open:
            findings.undecided(op, why)
            names |= {o.opview.chan_name for o in walk_named(op, *TRANSFERS)}
    return names


def _check_bundle(bundle: Bundle, puts: dict[Any, _Side], gets: dict[Any, _Side], findings: Findings, *, lowered: bool) -> None:
    for name, indices in sorted(e for e in puts if e[0] == bundle.name):
        sent = puts[name, indices]
        for served in bundle.served_by(indices):
            _compare(bundle, served, sent, gets.get((name, served), _Side()), findings, lowered=lowered)
    for name, indices in sorted(e for e in gets if e[0] == bundle.name):
        if (name, bundle.source_of(indices)) not in puts:
            _compare(bundle, indices, _Side(), gets[name, indices], findings, lowered=lowered)


def _senders(put_op: AnyOp) -> list[Any]:
    """The operations that may carry a refeed count for `put_op`: the put and the allocation of its buffer."""
    root = root_of(memref_of(put_op))
    return [put_op, root.owner] if isinstance(root, ir.OpResult) else [put_op]


def _compare(
    bundle: Bundle, indices: tuple[int, ...], sent: _Side, received: _Side, findings: Findings, *, lowered: bool
) -> None:
    name = f"@{bundle.name}{list(indices)}"
    if any(_REFEED in op.attributes for op in (bundle.op, *(o for e in sent.events for o in _senders(e.op)))):
        findings.undecided(bundle.op, f"how often {name} sends each block that was put ({_REFEED})")
        return
    owns_header = any(n in bundle.op.attributes for n in ("keep_pkt_header", "air.src_writes_pkt_header"))
    if bundle.is_broadcast and (owns_header or any(e.op.opview.dest is not None for e in sent.events)):
        findings.undecided(bundle.op, f"which of its packets {name} gets, since their headers decide that")
        return
    if not sent.is_known or not received.is_known:
        unmeasured = next(e for e in (*sent.events, *received.events) if e.bytes is None)
        findings.undecided(unmeasured.op, f"how many bytes it moves over {name}, so its balance")
        return
    if sent.bytes == received.bytes:
        return
    if lowered and not (sent.count and received.count):
        findings.undecided(bundle.op, f"the balance of {name}: one of its ends may be in the aie.device already")
        return
    first = (sent.events or received.events)[0]
    effect = "stay in the channel" if sent.bytes > received.bytes else "never come"
    findings.error(
        bundle.op,
        f"{name} has {sent.text('put')} and {received.text('get')}: {abs(sent.bytes - received.bytes):,} bytes {effect}; make "
        "the sizes of puts and gets, and the trip counts of the loops around them, agree",
        (first.op, "one end is here"),
        *([(received.events[0].op, "the other is here")] if sent.events and received.events else []),
    )
