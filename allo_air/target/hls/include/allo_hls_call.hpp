// Calls a function of emitted C++ with numpy's memory.
#pragma once
#include "ap_fixed.h"
#include "hls_math.h"
#include "hls_stream.h"
#include <cstring>
#include <type_traits>
#include <vector>

namespace allo_hls {

// An element as numpy holds it, of `size` bytes, the lowest first.
template <typename T> void take(T &to, const char *from, int size) {
  if constexpr (std::is_integral_v<T>) {
    int64_t word = 0;
    std::memcpy(&word, from, size < 8 ? size : 8);
    if (std::is_same_v<T, bool>)
      word &= 1;
    to = T(word);
  } else {
    std::memcpy(&to, from, sizeof(T));
  }
}
template <int W, bool S> void take(integer<W, S> &to, const char *from, int size) {
  std::memcpy(to.v.w, from, size < int(sizeof to.v.w) ? size : sizeof to.v.w);
  to.wrap();
}
template <int W, int I, bool S> void take(fixed<W, I, S> &to, const char *from, int size) { take(to.raw, from, size); }
template <typename T> void give(const T &from, char *to, int size) {
  if constexpr (std::is_integral_v<T>) {
    int64_t word = int64_t(from);
    std::memcpy(to, &word, size);
  } else {
    std::memcpy(to, &from, sizeof(T));
  }
}
template <int W, bool S> void give(const integer<W, S> &from, char *to, int size) {
  wide<32> all(from.v);
  std::memcpy(to, all.w, size);
}
template <int W, int I, bool S> void give(const fixed<W, I, S> &from, char *to, int size) { give(from.raw, to, size); }

// The elements of one argument.
template <typename T> struct block {
  T *data;
  char *memory;
  size_t count;
  int size;
  block(void *given, size_t elements, int bytes) : data(new T[elements]), memory((char *)given), count(elements), size(bytes) {
    for (size_t i = 0; i < count; i++)
      take(data[i], memory + i * size, size);
  }
  void back() {
    for (size_t i = 0; i < count; i++)
      give(data[i], memory + i * size, size);
  }
  ~block() { delete[] data; }
};

template <typename F> int guarded(char *error, int room, F run) {
  threads &all = threads::all();
  all.running = 1;
  all.waiting = 0;
  all.error.clear();
  try {
    run();
    return 0;
  } catch (const std::exception &found) {
    std::strncpy(error, found.what(), room - 1);
    return 1;
  }
}

} // namespace allo_hls
