"""air-to-std."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import is_token
from allo_air.mlir import AnyOp
from allo_air.passes.runtime._cleanup import erase_unused
from allo_air.passes.runtime._host_ops import has_air
from allo_air.passes.runtime._memcpy import Channels
from allo_air.passes.runtime._to_airrt import ToAirrt
from allo_air.passes.runtime._token_by_token import TokenByToken


@dataclass(frozen=True)
class AirToStd(Pass):
    """Lowers AIR launches to the AIRRt control program that the host runs, with only the transfers of external memory.

    A launch becomes `affine.for` loops, the outermost labelled `affine_opt_label = "tiling"`. Segments and herds become a
    load; tokens become events, one by one, and waits stay. The host waits for a launch's transfers at its end
    (`air.launch_end`), and earlier if a token orders two transfers of one buffer of which one writes it. L2 buffers become
    `airrt.alloc`. With `fewest-waits`, only events with users are kept, and no L2 buffers. Constants select channels: loops
    that select channels are unrolled.

    Before:

        air.launch (%i) in (%s=%c2) args(%b=%a) : memref<8xi32> {
          air.channel.put @c[] (%b[%i] [%c4] [%c1]) {metadataArray = [{base = "air_c", index = 0 : i32}]} : (memref<8xi32>)
          air.segment @seg { ... }
        }

    After:

        affine.for %i = 0 to 2 {
          %p = airrt.segment_load "seg" : i64
          %o = arith.index_cast %i : index to i64
          %e = airrt.dma_memcpy_nd(%id, %0, %0, %a[%0, %0, %0, %o], [%1, %1, %1, %4], [%0, %0, %0, %1])
              {chan_name = @c, metadata = @air_c} : (...) : !airrt.event
          airrt.wait_all %e {air.launch_end}
        } {affine_opt_label = "tiling"}
    """

    name = "air-to-std"
    anchor = "builtin.module"
    works_on = ("air.*",)
    fewest_waits: bool = False
    """Keep only events that the host waits for: no other events, no device buffers and loops, no channels."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air", "airrt"))
        for call in walk_named(op, "func.call"):
            if any(is_token(v) for v in (*call.operands, *call.results)):
                raise error_at(call, "takes or returns a token; run inline before air-to-std, which keeps no such calls")
        channels, launches = Channels(op), 0
        for function in [f for f in walk_named(op, "func.func") if len(f.regions[0].blocks) and has_air(f)]:
            converter = (ToAirrt if self.fewest_waits else TokenByToken)(function, channels, launches)
            converter.run()
            launches = converter.launches
            erase_unused(function, events=self.fewest_waits)
        if not self.fewest_waits:
            return
        used = {o.opview.chan_name for o in walk_named(op, "air.channel.put", "air.channel.get")}
        for channel in walk_named(op, "air.channel"):
            if sym_name_of(channel) not in used:
                channel.erase()
