"""air-hoist-channels-in-accum-pattern."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp
from allo_air.passes.schedule._channel_accumulators import hoist_channel_accumulators
from allo_air.passes.schedule._filled_accumulators import fill_accumulators


@dataclass(frozen=True)
class AirHoistChannelsInAccumPattern(Pass):
    """Keeps an accumulator in its core if each iteration of a loop begins by getting it and ends by putting it back.

    It is the counterpart of `air-hoist-dma-in-accum-pattern` for channels, after a loop around a herd moved into the herd. Get,
    put, allocation and deallocation leave the loop in the herd. The loop at the other end of the channels then runs only once.
    It must have the same trip count, and only put the accumulator and then get it back into the same memory. If another herd
    only filled that memory with a constant, the core fills the accumulator itself.

    Before:

        %1 = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
          %2 = air.channel.put async [%t] @in[] (%c[] [] []) : (memref<64xi32, 1>)
          %3 = air.channel.get async [%2] @out[] (%c[] [] []) : (memref<64xi32, 1>)
          scf.yield %3 : !air.async.token
        }
        air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
          %4 = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %s) -> (!air.async.token) {
            %5 = air.channel.get async [%t] @in[] (%acc[] [] []) : (memref<64xi32, 2>)
            %6 = air.execute [%5] { linalg.add ins(%acc, %x : ...) outs(%acc : memref<64xi32, 2>) }
            %7 = air.channel.put async [%6] @out[] (%acc[] [] []) : (memref<64xi32, 2>)
            scf.yield %7 : !air.async.token
          }

    After:

        %2 = air.channel.put async [%0] @in[] (%c[] [] []) : (memref<64xi32, 1>)
        %1 = air.channel.get async [%2] @out[] (%c[] [] []) : (memref<64xi32, 1>)
        air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
          %5 = air.channel.get async [%s] @in[] (%acc[] [] []) : (memref<64xi32, 2>)
          %4 = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %5) -> (!air.async.token) {
            %6 = air.execute [%t] { linalg.add ins(%acc, %x : ...) outs(%acc : memref<64xi32, 2>) }
            scf.yield %6 : !air.async.token
          }
          %7 = air.channel.put async [%4] @out[] (%acc[] [] []) : (memref<64xi32, 2>)
    """

    name = "air-hoist-channels-in-accum-pattern"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        hoist_channel_accumulators(op)
        fill_accumulators(op)
