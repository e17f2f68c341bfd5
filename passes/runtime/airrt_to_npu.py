"""airrt-to-npu."""

from dataclasses import dataclass

from allo_air.passes.runtime._lower import ToSequences


@dataclass(frozen=True)
class AirrtToNpu(ToSequences):
    """Turns the AIRRt control program into an `aie.runtime_sequence` of its device.

    Loops become dimensions and repeats of shim buffer descriptors as far as these hold them (three dimensions and an iteration,
    wraps of 1023, steps of 2^20 words, 64 iterations, 256 repeats, in which iterations begin again), and tasks of their own
    beyond. Transfers that take turns on a channel, two to four, are a chain of descriptors that its queue repeats. Tasks of all
    channels start in the order of the loops around them, at most four on a channel, with as many descriptors, before one of
    them is waited for. Loops of a launch that wait in between go side by side, each at its own pace, or in turn where the cores
    come to one when they are done with the other. What the host reads is waited for at the end of a launch. `form` chooses DMA
    tasks, whose BD ids are assigned later, or `aiex.npu.dma_memcpy_nd`, whose iterations do not begin again.

    `trace-size` makes the cores trace along the packet flows from their Trace ports (air-to-aie{insert-trace-packet-flow}); the
    sequence gets one more argument, with that many bytes for each shim channel where traces end, `trace-offset` bytes into it.
    A control program that another function calls leaves a declaration; link-kernels makes the caller a sequence that runs it.
    `output-elf` adds the device `@main`, whose sequences configure the others and run theirs. `coalesce-shim-dma` asks for what
    is done anyway: transfers of a channel that follow on each other are one.

    Before:

        affine.for %i = 0 to 2 {
          %e = airrt.dma_memcpy_nd(%id, %x, %y, %out[0, 0, 0, %64i], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @c} : ...
          airrt.wait_all %e {air.launch_end}
        }

    After:

        aie.runtime_sequence @f(%out: memref<128xi32>) {
          %0 = aiex.dma_configure_task_for @c {
            aie.dma_bd(%out : memref<128xi32>, 0, 128)
            aie.end
          } {issue_token = true}
          aiex.dma_start_task(%0)
          aiex.dma_await_task(%0)
        }
    """

    name = "airrt-to-npu"
    anchor = "builtin.module"
    works_on = ("airrt.*",)
