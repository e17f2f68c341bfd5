"""AIEX operations of the CERT controller: jobs, barriers and its own DMA."""

from __future__ import annotations

from allo_air.dialects._fields import attr, region
from allo_air.dialects._kinds import BOOL, I16, I32, SYM_NAME, SYMBOL, UI32
from allo_air.dialects._op import Op


class CertAttachToGroupOp(Op, name="aiex.cert.attach_to_group"):
    """The jobs of a group."""

    group_id = attr(I32)
    body = region()
    terminator = "aie.end"
    assembly = "`(` $group_id `)` $body attr-dict"


class CertJobOp(Op, name="aiex.cert.job"):
    """One job."""

    job_id = attr(I32)
    body = region()
    terminator = "aie.end"
    assembly = "`(` $job_id `)` $body attr-dict"


class CertUcDmaChainOp(Op, name="aiex.cert.uc_dma_chain"):
    """A chain of the controller's BDs."""

    sym_name = attr(SYM_NAME)
    body = region()
    terminator = "aie.end"
    assembly = "$sym_name $body attr-dict"


class CertUcDmaBdOp(Op, name="aiex.cert.uc_dma_bd"):
    """A BD of the controller."""

    remote_address = attr(SYMBOL)
    local_address = attr(I32)
    length = attr(I32)
    next_bd = attr(BOOL)
    assembly = "$remote_address `,` $local_address `,` $length `,` $next_bd attr-dict"


class CertUcDmaWriteDesSyncOp(Op, name="aiex.cert.uc_dma_write_des_sync"):
    """Runs a chain and waits for it."""

    symbol = attr(SYMBOL)
    assembly = "`(` $symbol `)` attr-dict"


class CertApplyOffset57Op(Op, name="aiex.cert.apply_offset_57"):
    """Adds host addresses to the BDs in a block of data."""

    symbol = attr(SYMBOL)
    num_entries = attr(I16)
    offset = attr(I16)
    assembly = "`(` $symbol `,` $num_entries `,` $offset `)` attr-dict"


class CertLocalBarrierOp(Op, name="aiex.cert.local_barrier"):
    """A barrier inside one controller."""

    local_barrier_id = attr(I32)
    num_participants = attr(I32)
    assembly = "`(` $local_barrier_id `,` $num_participants `)` attr-dict"


class CertRemoteBarrierOp(Op, name="aiex.cert.remote_barrier"):
    """A barrier between controllers."""

    remote_barrier_id = attr(I32)
    party_mask = attr(I32)
    assembly = "`(` $remote_barrier_id `,` $party_mask `)` attr-dict"


class CertWrite32Op(Op, name="aiex.cert.write32"):
    """Writes one register."""

    address = attr(UI32)
    value = attr(UI32)
    assembly = "`(` $address `,` $value `)` attr-dict"


class CertMaskWrite32Op(Op, name="aiex.cert.maskwrite32"):
    """Writes the bits of one register that `mask` names."""

    address = attr(UI32)
    mask = attr(UI32)
    value = attr(UI32)
    assembly = "`(` $address `,` $mask `,` $value `)` attr-dict"


class CertWaitTctsOp(Op, name="aiex.cert.wait_tcts"):
    """Waits for completion tokens."""

    tile_id = attr(I32)
    channel_id = attr(I32)
    target_tcts = attr(I32)
    assembly = "`(` $tile_id `,` $channel_id `,` $target_tcts `)` attr-dict"


class CertNopOp(Op, name="aiex.cert.nop"):
    """Does nothing."""

    assembly = "attr-dict"


class CertPageOp(Op, name="aiex.cert.page"):
    """The jobs that the controller loads at once."""

    body = region()
    terminator = "aie.end"
    assembly = "$body attr-dict"


class CertSectionOp(Op, name="aiex.cert.section"):
    """Pages that are written under one name."""

    sym_name = attr(SYM_NAME, optional=True)
    body = region()
    terminator = "aie.end"
    assembly = "($sym_name^)? $body attr-dict"


class CertLoadPdiOp(Op, name="aiex.cert.load_pdi"):
    """Loads a configuration of the array."""

    pdi_id = attr(I32)
    symbol = attr(SYMBOL)
    assembly = "`(` $pdi_id `,` $symbol `)` attr-dict"


class CertPreemptOp(Op, name="aiex.cert.preempt"):
    """A point at which another program may take over the array, with the sequences that save and restore this program."""

    level = attr(I32)
    save = attr(SYMBOL)
    restore = attr(SYMBOL)
    assembly = "`(` $level `,` $save `,` $restore `)` attr-dict"
