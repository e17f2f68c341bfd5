// The options of the peer's driver change the passes.
// RUN: allo-opt --pipeline=air-npu --print-pipeline | filecheck %s
// RUN: allo-opt --pipeline='air-npu{omit-ping-pong=all omit-auto-broadcast=true air-loop-fusion=true lower-linalg-to-func=k.o}' --print-pipeline | filecheck %s --check-prefix=OTHER
// RUN: allo-opt --pipeline='air-npu{device=npu2 cols=2 rows=3 col-offset=1 omit-ping-pong=L2 runtime-loop-tiling-sizes=4,4 omit-while-true-loop=true stack-size=2048 trace-size=1024 output-elf=true}' --print-pipeline | filecheck %s --check-prefix=GIVEN
// RUN: allo-opt --pipeline='air-npu{device=npu2 placed-ir-verifiers=error use-lock-race-condition-fix-v2=true coalesce-shim-dma=true order=written output-format=elf}' --print-pipeline | filecheck %s --check-prefix=AUGUST
// RUN: allo-opt --pipeline='air-npu{core-code=improved}' --print-pipeline | filecheck %s --check-prefix=IMPROVED
// RUN: not allo-opt --pipeline='air-npu{output-format=elf}' --print-pipeline 2>&1 | filecheck %s --check-prefix=NPU1
// RUN: not allo-opt --pipeline='air-npu{emit-txn-cpp=true}' --print-pipeline 2>&1 | filecheck %s --check-prefix=CPP
// AUGUST: air-verify-hierarchy-locality{herds=false}
// AUGUST: air-to-aie{emit-while-loop=true device=npu2 use-lock-race-condition-fix-v2=true logical-tiles=false}
// AUGUST: airrt-to-npu{output-elf=true coalesce-shim-dma=true}
// NPU1: option 'output-format' is elf, which npu1 does not load: use xclbin, or an npu2
// CPP: option 'emit-txn-cpp' asks for instruction words as a function in C++, which no pipeline makes
// CHECK: air-broadcast-detection
// CHECK: air-fuse-alloc-dealloc
// CHECK: air-ping-pong-transform,
// CHECK-NOT: vectorize-generics
// CHECK: convert-linalg-to-loops
// CHECK: air-place-herds{num-rows=4 num-cols=4 row-anchor=2}
// CHECK: air-to-aie{emit-while-loop=true device=npu1 use-lock-race-condition-fix=true logical-tiles=false}
// CHECK: airrt-to-npu{order=planned}
// OTHER-NOT: air-broadcast-detection
// OTHER: air-loop-fusion
// OTHER-NOT: air-fuse-alloc-dealloc
// OTHER-NOT: air-ping-pong-transform
// OTHER: air-linalg-to-func{link-with=k.o derive-library-call=true}
// GIVEN: air-ping-pong-transform{omit-memory-space=L2}
// GIVEN: air-place-herds{num-rows=3 num-cols=2 row-anchor=2 col-anchor=1}
// GIVEN: air-to-aie{device=npu2 insert-trace-packet-flow=true use-lock-race-condition-fix=true stack-size=2048 logical-tiles=false}
// GIVEN: air-opt-shim-dma-bds{device=npu2 shim-dma-tile-sizes=4,4}
// GIVEN: airrt-to-npu{trace-size=1024 output-elf=true}
// IMPROVED: vectorize-generics
// IMPROVED: approximate-math
