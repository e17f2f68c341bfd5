// What the compilers for the cores predefine; included before a kernel's file.
#pragma once

#define restrict __restrict
#define chess_prepare_for_pipelining
#define chess_loop_range(...)
#define chess_loop_count(...)
#define chess_min_loop_count(...)
#define chess_max_loop_count(...)
#define chess_flatten_loop
#define chess_unroll_loop(...)
#define chess_no_hw_loop
#define chess_modulo_scheduling_budget_ratio(...)
#define chess_allocate_required_for_modulo_scheduling
#define chess_protect_access
#define chess_storage(...)
#define chess_copy(x) (x)
#define chess_const(x) (x)
#define chess_hide(x) (x)
#define chess_manifest(x) (__builtin_constant_p(x))
#define chess_separator()
#define chess_separator_scheduler(...)
#define chess_memory_fence()
#define chess_report(x)
#define chess_error(x)
#define chess_assume(x)
// Banks of the core's memory
#define __aie_dm_resource_a
#define __aie_dm_resource_b
#define __aie_dm_resource_c
#define __aie_dm_resource_d
#define __aie_dm_resource_stack
#define __aie_dm_resource_TM
#define aie_dm_resource_a
#define aie_dm_resource_b
#define aie_dm_resource_c
#define aie_dm_resource_d
#define aie_dm_resource_stack
