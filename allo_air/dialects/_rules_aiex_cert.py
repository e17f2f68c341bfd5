"""Rules of the CERT controller's operations."""

from __future__ import annotations

from allo_air.dialects._aiex_cert import CertLocalBarrierOp, CertUcDmaBdOp, CertUcDmaChainOp
from allo_air.dialects._rules import Report, operations, parent_of, rule


@rule("aiex.cert.uc_dma_bd")
def bd_in_chain(op: CertUcDmaBdOp, report: Report) -> None:
    """BDs are in chains."""
    parent = parent_of(op)
    if parent.name != "aiex.cert.uc_dma_chain":
        report.warning(op, f"expects parent op 'aiex.cert.uc_dma_chain', found '{parent.name}'")


@rule("aiex.cert.uc_dma_chain")
def chain_links(op: CertUcDmaChainOp, report: Report) -> None:
    """All BDs except the last continue with the next one."""
    bds = [CertUcDmaBdOp(o) for o in operations(op.regions[0].blocks[0]) if o.name == "aiex.cert.uc_dma_bd"]
    for i, bd in enumerate(bds):
        last = i == len(bds) - 1
        if bd.next_bd is last:
            report.warning(
                bd, f"next_bd must be {str(not last).lower()} on {'the last BD' if last else 'a BD before the last'}"
            )


@rule("aiex.cert.local_barrier")
def participants(op: CertLocalBarrierOp, report: Report) -> None:
    """A barrier has at least one participant."""
    if op.num_participants < 1:
        report.warning(op, f"num_participants must be at least 1, found {op.num_participants}")
