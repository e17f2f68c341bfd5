"""airrt-to-npu."""

from dataclasses import dataclass

from allo_air.passes.runtime._lower import ToSequences


@dataclass(frozen=True)
class AirrtToNpu(ToSequences):
    """Turns the AIRRt control program into an `aie.runtime_sequence` of its device.

    With `order=written` transfers keep their order, and each is a task of its own. Offsets, sizes and repeats that the run
    gives stay values, as scalars of the function are arguments of the sequence; `scf.for` stays a loop (`unroll-loops`
    writes those of constant bounds out, and so is one whose output is waited for behind it, or whose rounds, without waits,
    start more than a queue holds, together with what is beside it), affine and parallel loops are unrolled. Sizes that a
    descriptor does not hold are divided, steps over 2^20 elements become transfers. What cores are passed goes first in each
    part up to the end of a launch; where there are several, outputs start before inputs. Outputs are waited for (in branches
    and loops of the run there, at the end), inputs freed. At most four inputs are on a channel, and sixteen tasks on a tile,
    before the oldest is waited for; of inputs that follow each other, channels take turns, and outputs behind them go first.
    `air.preserve_shim_dma_order` lets two tasks of a feed be queued at a time, `air.runtime_hoist` puts it first,
    `air.await_appends` lets it wait for outputs before it with `air.append_barrier`; `coalesce-shim-dma` makes one of paced
    transfers that follow on each other. Buffers that the function allocates are more arguments.

    With `order=planned` all of a launch is put in one order that does not hang. Loops become dimensions and repeats of shim
    buffer descriptors as far as these hold them (three dimensions and an iteration, wraps of 1023, steps of 2^20 words, 64
    iterations, 256 repeats, in which iterations begin again), and tasks of their own beyond. Transfers that take turns on a
    channel, two to four, are a chain of descriptors that its queue repeats. Tasks of all channels start in the order of the
    loops around them, at most four on a channel, with as many descriptors, before one of them is waited for. Loops of a launch
    that wait in between go side by side, each at its own pace, or in turn where the cores come to one when they are done with
    the other. What the host reads is waited for at the end of a launch. `form` chooses DMA tasks, whose BD ids are assigned
    later, or `aiex.npu.dma_memcpy_nd`, whose iterations do not begin again, and which is always planned.

    `trace-size` makes the cores trace along the packet flows from their Trace ports (air-to-aie{insert-trace-packet-flow}); the
    sequence gets one more argument, with that many bytes for each shim channel where traces end, `trace-offset` bytes into it.
    A control program that another function calls leaves a declaration; link-kernels makes the caller a sequence that runs it.
    `output-elf` adds the device `@main`, whose sequences configure the others and run theirs; a device that does not begin
    again by itself (its DMA programs repeat, or its cores' cascades end) is reset and loaded between the parts.

    Before:

        scf.for %i = %c0 to %c4 step %c1 {
          %e = airrt.dma_memcpy_nd(%id, %x, %y, %out[0, 0, 0, %o], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @c} : ...
          airrt.wait_all %e {air.launch_end}
        }

    After:

        aie.runtime_sequence @f(%out: memref<256xi32>) {
          scf.for %i = %c0 to %c4 step %c1 {
            %1 = arith.trunci %o : i64 to i32
            %0 = aiex.dma_configure_task_for @c {
              aie.dma_bd(%out : memref<256xi32> offset = %1 len = 64 sizes = [64] strides = [1])
              aie.end
            } {issue_token = true}
            aiex.dma_start_task(%0)
            aiex.dma_await_task(%0)
          }
        }
    """

    name = "airrt-to-npu"
    anchor = "builtin.module"
    works_on = ("airrt.*",)
