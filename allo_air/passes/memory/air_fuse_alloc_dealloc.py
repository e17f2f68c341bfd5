"""air-fuse-alloc-dealloc."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp
from allo_air.passes._ir.greedy import fold_greedily
from allo_air.passes.memory._sink import buffer_of, sink_buffer


@dataclass(frozen=True)
class AirFuseAllocDealloc(Pass):
    """Moves allocations and deallocations into the only loop, launch, segment or herd that uses the buffer.

    A buffer moves into the innermost loop of a perfect nest; if a loop contains other work next to an inner loop, the buffer
    moves into the body of that loop. A hierarchy that takes a buffer as an argument, and may allocate in its memory space,
    allocates it itself. The buffer stays if an iteration or an instance may need data that another left in it. Operations that
    waited for the old allocation or deallocation wait for its dependences instead.

    Before:

        %t, %b = air.execute -> (memref<8xi32, 1>) { memref.alloc() ... }
        %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> (!air.async.token) {
          %2 = air.channel.get async [%a] @in[] (%b[] [] []) : (memref<8xi32, 1>)
          %3 = air.channel.put async [%2] @out[] (%b[] [] []) : (memref<8xi32, 1>)
          scf.yield %3 : !air.async.token
        }
        %4 = air.execute [%1] { memref.dealloc %b : memref<8xi32, 1> }

    After:

        %0 = air.wait_all async
        %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %0) -> (!air.async.token) {
          %t, %b = air.execute -> (memref<8xi32, 1>) { memref.alloc() ... }
          %2 = air.channel.get async [%a, %t] @in[] (%b[] [] []) : (memref<8xi32, 1>)
          %3 = air.channel.put async [%2, %t] @out[] (%b[] [] []) : (memref<8xi32, 1>)
          %4 = air.execute [%2, %3] { memref.dealloc %b : memref<8xi32, 1> }
          %5 = air.wait_all async [%3, %4]
          scf.yield %5 : !air.async.token
        }
    """

    name = "air-fuse-alloc-dealloc"
    anchor = "func.func"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        with op.context, op.location:
            for alloc in walk_named(op, "memref.alloc"):
                buffer = buffer_of(alloc)
                if buffer is not None:
                    sink_buffer(buffer)
            fold_greedily(op)
