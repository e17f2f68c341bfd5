// Calls a function of emitted C++ with numpy's memory.
#pragma once
#include "ap_fixed.h"
#include "hls_math.h"
#include "hls_stream.h"
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>
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
  block(const block &) = delete;
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

// An argument of a function that others wrote: a number, or elements behind a pointer.
struct given {
  void *memory;
  size_t count;
  int size;
};
template <typename P> struct argument {
  block<P> held;
  argument(given from) : held(from.memory, 1, from.size) {}
  P &get() { return *held.data; }
  void back() {}
};
template <typename P> struct argument<P *> {
  using element = std::remove_cv_t<std::remove_all_extents_t<P>>;
  block<element> held;
  argument(given from) : held(from.memory, from.count, from.size) {}
  P *get() { return (P *)held.data; }
  void back() { held.back(); }
};
template <typename P> struct argument<P &> : argument<P *> {
  using argument<P *>::argument;
  P &get() { return *argument<P *>::get(); }
};
template <typename R, typename... P, size_t... I>
void apply(R (*function)(P...), void **a, const int64_t *n, const int *sizes, std::index_sequence<I...>) {
  std::tuple<argument<P>...> held(given{a[I], size_t(n[I]), sizes[I]}...);
  function(std::get<I>(held).get()...);
  (std::get<I>(held).back(), ...);
}
template <typename R, typename... P> void apply(R (*function)(P...), void **a, const int64_t *n, const int *sizes) {
  apply(function, a, n, sizes, std::index_sequence_for<P...>());
}

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
