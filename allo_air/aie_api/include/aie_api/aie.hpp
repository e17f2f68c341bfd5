// The AIE API as kernels for AMD's cores use it, emulated on the host: written for allo_air from what public kernels call.
// docs/kernels.md says what is exact and what is not.
#pragma once

#include "detail/hide_macros.hpp"

#include "detail/unroll.hpp"
#include "detail/operators.hpp"

#include "detail/show_macros.hpp"
