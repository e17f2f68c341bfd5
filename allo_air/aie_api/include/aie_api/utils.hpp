// Printing, as aie_api/utils.hpp offers it.
#pragma once

#include "detail/hide_macros.hpp"

#include "aie.hpp"

namespace aie {
template <typename T, unsigned N>
void print(const vector<T, N> &v, bool newline = false, const char *prefix = nullptr) {
  if (prefix) std::printf("%s", prefix);
  for (unsigned i = 0; i < N; ++i) std::printf("%g ", double(v[i]));
  if (newline) std::printf("\n");
}
}  // namespace aie

#include "detail/show_macros.hpp"
