// Loop hints of mlir-aie's kernels. Peano pipelines a loop whose least number of turns it knows; other hints are Chess's alone.
#pragma once

#define AIE_PREPARE_FOR_PIPELINING
#define AIE_PREPARE_FOR_POSTPIPELINING
#define AIE_LOOP_MIN_ITERATION_COUNT(x) ALLO_AIE_HINT
#define AIE_LOOP_MAX_ITERATION_COUNT(x)
#define AIE_LOOP_RANGE(...) ALLO_AIE_HINT
#define AIE_LOOP_UNROLL(x)
#define AIE_LOOP_UNROLL_FULL
#define AIE_LOOP_NO_UNROLL
#define AIE_LOOP_FLATTEN
#define AIE_TRY_INITIATION_INTERVAL(x) ALLO_AIE_HINT
#define AIE_MODULO_SCHEDULING_BUDGET_RATIO(x)
#define AIE_KEEP_SW_LOOP
#define AIE_PEEL_PIPELINED_LOOP(x)
#define AIE_PREPARE_FOR_PIPELINING_WITH_II(x) ALLO_AIE_HINT
