"""The pass `airrt-to-npu`; `_lower.py` has its options and stages."""

from dataclasses import dataclass

from allo_air.passes.runtime._lower import ToSequences


@dataclass(frozen=True)
class AirrtToNpu(ToSequences):
    """Turns the AIRRt control program into an `aie.runtime_sequence` of its device.

    Buffers that the function allocates become additional arguments of the sequence.

    `order=written` keeps the order of the transfers, each as a separate task:

    * Values that are only known at run time (offsets, sizes, repeats) stay operands; scalars of the function become arguments
      of the sequence.
    * An `scf.for` stays a loop. It is unrolled if its bounds are constant and `unroll-loops` is set, if its output is waited
      for after the loop, or if its iterations, which contain no waits, start more tasks than a queue holds together with the
      tasks around it. Affine and parallel loops are always unrolled.
    * Sizes that exceed a descriptor's fields are divided. Steps over more than 2^20 elements become separate transfers.
    * In each part up to the end of a launch, the values for cores are written first. If there are several parts, outputs start
      before inputs.
    * The sequence waits for outputs (those in branches and run-time loops at the end of these) and frees inputs. Before a
      fifth input on a channel, or a seventeenth task on a tile, it waits for the oldest one. Consecutive inputs are started
      channel by channel in turn, and outputs that follow them are started first.
    * `air.preserve_shim_dma_order` allows two queued tasks of an input. `air.runtime_hoist` moves an input to the start.
      `air.await_appends` makes it wait for earlier outputs with `air.append_barrier`. `coalesce-shim-dma` merges consecutive
      transfers with a limited rate into one.

    `order=planned` chooses one order for all transfers of a launch, in which the launch cannot hang:

    * Loops become dimensions and repeats of shim descriptors within their limits (three dimensions and an iteration, wraps of
      1023, steps of 2^20 words, 64 iterations, 256 repeats, in which iterations begin again), and separate tasks beyond these.
    * Two to four transfers that alternate on a channel become a chain of descriptors, which the channel's queue repeats.
    * Tasks of all channels start in the order of the loops around them. At most four tasks, with at most four descriptors, are
      in flight on a channel.
    * Loops of a launch with waits in them run concurrently, each at its own pace, or one after another if the cores begin one
      after they have finished the other.
    * The sequence waits for the host's outputs at the end of a launch.

    `form` selects DMA tasks, whose BD ids are assigned later, or `aiex.npu.dma_memcpy_nd`, which is always planned and whose
    iterations do not begin again.

    `trace-size` makes the cores trace along the packet flows from their Trace ports (air-to-aie{insert-trace-packet-flow}).
    The sequence gets one more argument, with that many bytes, from `trace-offset` on, for each shim channel at which traces
    end. A control program that another function calls becomes a declaration; link-kernels makes the caller a sequence that
    runs it. `output-elf` adds the device `@main`, whose sequences configure the other devices and run their sequences. A
    device that cannot run again by itself (its DMA programs repeat, or its cores' cascades end) is reset and loaded between
    the parts.

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
