// What a kernel's library has beside the kernel: how it is called, and ended.
#pragma once

#include "aie_api/detail/types.hpp"

namespace allo_aie {

/// A kernel on the words of its arguments, and the word of its result.
using Kernel = void (*)(const std::int64_t *words, std::int64_t *result);

/// 0, or 1 with a message in `error`. `seconds` limits the kernel's time; `issued` takes loads, stores, vector and scalar operations.
int call(Kernel kernel, const std::int64_t *words, std::int64_t *result, const Ports *ports, const Range *ranges, int count,
         double seconds, char *error, int room, std::int64_t *issued);

}  // namespace allo_aie
