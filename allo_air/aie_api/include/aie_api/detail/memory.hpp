// Loads, stores and iterators. A lane of 4 bits takes half a byte in memory, the lower half first.
#pragma once

#include "vector.hpp"

#include <cstddef>
#include <iterator>

namespace allo_aie {

template <typename T>
void read(const T *from, T *lanes, unsigned count) {
  if constexpr (is_nibble<T>) {
    const std::uint8_t *bytes = reinterpret_cast<const std::uint8_t *>(from);
    for (unsigned i = 0; i < count; ++i) lanes[i] = T(bytes[i / 2] >> (4 * (i % 2)) & 15);
  } else {
    std::memcpy(lanes, from, count * sizeof(T));
  }
}

template <typename T>
void write(T *to, const T *lanes, unsigned count) {
  if constexpr (is_nibble<T>) {
    std::uint8_t *bytes = reinterpret_cast<std::uint8_t *>(to);
    for (unsigned i = 0; i < count; i += 2) bytes[i / 2] = static_cast<std::uint8_t>((lanes[i] & 15) | (lanes[i + 1] & 15) << 4);
  } else {
    std::memcpy(to, lanes, count * sizeof(T));
  }
}

}  // namespace allo_aie

namespace aie {

enum class aie_dm_resource { none, a, b, c, d, stack };

template <unsigned N, aie_dm_resource = aie_dm_resource::none, typename T>
vector<std::remove_const_t<T>, N> load_unaligned_v(const T *from, unsigned aligned_elems = 1) {
  using U = std::remove_const_t<T>;
  constexpr long bytes = N * allo_aie::bits_of<U> / 8;
  allo_aie::check_access(from, bytes, allo_aie::alignment_of(bytes, aligned_elems * allo_aie::bits_of<U>), "load_unaligned_v");
  vector<U, N> made;
  allo_aie::issue_load(2 * bytes);
  allo_aie::read(from, made.begin(), N);
  return made;
}

template <unsigned N, aie_dm_resource = aie_dm_resource::none, typename T>
vector<std::remove_const_t<T>, N> load_v(const T *from) {
  using U = std::remove_const_t<T>;
  static_assert((N & (N - 1)) == 0, "aie::load_v<N>: N is a power of two");
  constexpr long bytes = N * allo_aie::bits_of<U> / 8;
  allo_aie::check_access(from, bytes, allo_aie::alignment_of(bytes), "load_v");
  vector<U, N> made;
  allo_aie::issue_load(bytes);
  allo_aie::read(from, made.begin(), N);
  return made;
}
template <typename T>
auto load_v(const T *from) {
  return load_v<native_vector_length_v<std::remove_const_t<T>>>(from);
}

template <aie_dm_resource = aie_dm_resource::none, typename T, unsigned N>
void store_v(T *to, const vector<T, N> &v) {
  constexpr long bytes = N * allo_aie::bits_of<T> / 8;
  allo_aie::check_access(to, bytes, allo_aie::alignment_of(bytes), "store_v");
  allo_aie::begin();
  allo_aie::reads(&v);
  allo_aie::issue_store(bytes);
  allo_aie::write(to, v.begin(), N);
}
template <aie_dm_resource = aie_dm_resource::none, typename T, typename Tag, unsigned N>
void store_v(T *to, const accum<Tag, N> &a) {
  store_v(to, a.template to_vector<T>());
}
template <aie_dm_resource = aie_dm_resource::none, typename T, unsigned N>
void store_unaligned_v(T *to, const vector<T, N> &v, unsigned aligned_elems = 1) {
  constexpr long bytes = N * allo_aie::bits_of<T> / 8;
  allo_aie::check_access(to, bytes, allo_aie::alignment_of(bytes, aligned_elems * allo_aie::bits_of<T>), "store_unaligned_v");
  allo_aie::begin();
  allo_aie::reads(&v);
  allo_aie::issue_store(2 * bytes);
  allo_aie::write(to, v.begin(), N);
}

/// From the address at or below `from` that a load can take.
template <unsigned N, aie_dm_resource = aie_dm_resource::none, typename T>
auto load_floor_v(const T *from) {
  const long alignment = allo_aie::alignment_of(N * allo_aie::bits_of<T> / 8);
  return load_v<N>(reinterpret_cast<const T *>(reinterpret_cast<std::uintptr_t>(from) / alignment * alignment));
}

template <typename T, unsigned N>
void vector<T, N>::load(const T *from) {
  *this = load_v<N>(from);
}
template <typename T, unsigned N>
void vector<T, N>::store(T *to) const {
  store_v(to, *this);
}

/// Steps through memory by vectors, around a buffer where `around` is its number of vectors.
template <typename T, unsigned N, bool Const>
class vector_iterator {
  using pointer_type = std::conditional_t<Const, const T *, T *>;

 public:
  using value_type = vector<T, N>;
  using reference = std::conditional_t<Const, const value_type &, value_type &>;
  using pointer = value_type *;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  explicit vector_iterator(pointer_type at, long around = 0) : first(at), around(around) {
    static_assert(!allo_aie::is_nibble<T>, "an iterator over 4-bit lanes: use load_v and store_v");
  }
  reference operator*() const { return (*this)[0]; }
  reference operator[](difference_type i) const {
    pointer_type at = first + N * where(i);
    allo_aie::check_access(at, N * sizeof(T), allo_aie::alignment_of(N * sizeof(T)), "access by an iterator");
    allo_aie::begin(at);
    allo_aie::issue_access(Const ? allo_aie::Unit::load : allo_aie::Unit::either, allo_aie::state.issued.loads, N * sizeof(T));
    allo_aie::state.counted = at;
    allo_aie::is_loaded(at);
    return reinterpret_cast<reference>(*at);
  }
  vector_iterator &operator++() { return *this += 1; }
  vector_iterator &operator--() { return *this -= 1; }
  vector_iterator operator++(int) { return moved(1); }
  vector_iterator operator--(int) { return moved(-1); }
  vector_iterator &operator+=(difference_type n) {
    index = where(n);
    return *this;
  }
  vector_iterator &operator-=(difference_type n) { return *this += -n; }
  vector_iterator operator+(difference_type n) const { return vector_iterator(*this) += n; }
  vector_iterator operator-(difference_type n) const { return *this + -n; }
  difference_type operator-(const vector_iterator &b) const { return (first + N * index - b.first) / difference_type(N) - b.index; }
  bool operator==(const vector_iterator &b) const { return first + N * index == b.first + N * b.index; }
  bool operator!=(const vector_iterator &b) const { return !(*this == b); }
  bool operator<(const vector_iterator &b) const { return *this - b < 0; }

 private:
  difference_type where(difference_type n) const {
    const difference_type to = index + n;
    return around ? ((to % around) + around) % around : to;
  }
  vector_iterator moved(difference_type n) {
    vector_iterator before = *this;
    *this += n;
    return before;
  }
  pointer_type first;
  difference_type index = 0, around = 0;
};

#define ALLO_AIE_ITERATORS(NAME, CONST, QUALIFIER)                                                  \
  template <unsigned N, aie_dm_resource = aie_dm_resource::none, typename T>                        \
  auto NAME(QUALIFIER T *at) {                                                                      \
    return vector_iterator<std::remove_const_t<T>, N, CONST || std::is_const_v<T>>(at);             \
  }                                                                                                 \
  template <aie_dm_resource = aie_dm_resource::none, typename T>                                    \
  auto NAME(QUALIFIER T *at) {                                                                      \
    return NAME<native_vector_length_v<std::remove_const_t<T>>>(at);                                \
  }
ALLO_AIE_ITERATORS(begin_vector, false, )
ALLO_AIE_ITERATORS(cbegin_vector, true, const)
ALLO_AIE_ITERATORS(begin_restrict_vector, false, )
ALLO_AIE_ITERATORS(cbegin_restrict_vector, true, const)
#undef ALLO_AIE_ITERATORS

template <unsigned N, typename T>
auto begin_vector_circular(T *at, std::size_t size) {
  return vector_iterator<std::remove_const_t<T>, N, std::is_const_v<T>>(at, static_cast<long>(size / N));
}
template <unsigned N, typename T>
auto begin_restrict_vector_circular(T *at, std::size_t size) {
  return begin_vector_circular<N>(at, size);
}
template <unsigned N, typename T>
auto cbegin_vector_circular(const T *at, std::size_t size) {
  return vector_iterator<T, N, true>(at, static_cast<long>(size / N));
}
template <unsigned N, typename T>
auto cbegin_restrict_vector_circular(const T *at, std::size_t size) {
  return cbegin_vector_circular<N>(at, size);
}

#define ALLO_AIE_CIRCULAR(NAME)                       \
  template <unsigned N, std::size_t Size, typename T> \
  auto NAME(T *at) {                                  \
    return NAME<N>(at, Size);                         \
  }
ALLO_AIE_CIRCULAR(begin_vector_circular)
ALLO_AIE_CIRCULAR(begin_restrict_vector_circular)
ALLO_AIE_CIRCULAR(cbegin_vector_circular)
ALLO_AIE_CIRCULAR(cbegin_restrict_vector_circular)
#undef ALLO_AIE_CIRCULAR

/// Streams of vectors over a buffer.
template <typename T, unsigned N>
class restrict_vector_input_buffer_stream {
 public:
  explicit restrict_vector_input_buffer_stream(const T *at) : at(at) {}
  vector<T, N> pop() {
    const T *from = at;
    at += N;
    return load_v<N>(from);
  }
  void seek(int n) { at += n * static_cast<int>(N); }
  restrict_vector_input_buffer_stream &operator>>(vector<T, N> &v) {
    v = pop();
    return *this;
  }

 private:
  const T *at;
};
template <typename T, unsigned N>
class restrict_vector_output_buffer_stream {
 public:
  explicit restrict_vector_output_buffer_stream(T *at) : at(at) {}
  void push(const vector<T, N> &v) {
    store_v(at, v);
    at += N;
  }
  void seek(int n) { at += n * static_cast<int>(N); }
  restrict_vector_output_buffer_stream &operator<<(const vector<T, N> &v) {
    push(v);
    return *this;
  }

 private:
  T *at;
};
template <typename T, unsigned N>
using vector_input_buffer_stream = restrict_vector_input_buffer_stream<T, N>;
template <typename T, unsigned N>
using vector_output_buffer_stream = restrict_vector_output_buffer_stream<T, N>;

}  // namespace aie
