"""Scales numbers by a factor that only the makefile tells."""

import argparse

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects.air import *
from air.dialects.func import CallOp, FuncOp
from air.dialects.memref import AllocOp, DeallocOp
from air.dialects.scf import for_, yield_
from air.ir import *

range_ = for_


@module_builder
def build_module(n, tile):
    kind = type_mapper(np.int32)
    whole = MemRefType.get([n], kind)
    part = MemRefType.get([tile], kind, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))
    scale = FuncOp("scale_i32", ([part, part, T.i32()], []), visibility="private")
    scale.attributes["link_with"] = StringAttr.get("scale.o")
    scale.attributes["llvm.emit_c_interface"] = UnitAttr.get()

    @FuncOp.from_py_func(whole, whole)
    def scaled(a, b):
        @launch(operands=[a, b])
        def launch_body(x, y):
            @segment(name="seg", operands=[x, y])
            def segment_body(p, q):
                @herd(name="scales", sizes=[1, 1], operands=[p, q])
                def herd_body(_tx, _ty, _sx, _sy, p, q):
                    for i in range_(0, n, tile):
                        here = AllocOp(part, [], [])
                        out = AllocOp(part, [], [])
                        dma_memcpy_nd(here, p, src_offsets=[i], src_sizes=[tile], src_strides=[1])
                        CallOp(scale, [here, out, tile])
                        dma_memcpy_nd(q, out, dst_offsets=[i], dst_sizes=[tile], dst_strides=[1])
                        DeallocOp(here)
                        DeallocOp(out)
                        yield_([])

                herd_body.attributes["link_with"] = StringAttr.get("scale.o")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="run.py", description="Builds, runs, and tests the scaling of numbers")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("-p", "--print-module-only", action="store_true")
    parser.add_argument("--perf-iters", type=int, default=0)
    args = parser.parse_args()
    module = build_module(256, 64)
    if args.print_module_only:
        print(module)
        exit(0)
    numbers = np.arange(256, dtype=np.int32)
    runner = XRTRunner(verbose=args.verbose, omit_while_true_loop=False, n_perf_iters=args.perf_iters, perf_flops=256)
    exit(runner.run_test(module, inputs=[numbers], expected_outputs=[3 * numbers]))
