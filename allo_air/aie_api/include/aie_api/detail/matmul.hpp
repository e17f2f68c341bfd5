// Matrix products of small tiles, and block floating point.
#pragma once

#include "functions.hpp"

namespace allo_aie {

/// `count` values that are `step` apart, rounded to a block that shares the exponent of the largest; see docs/kernels.md.
struct Block {
  int exponent = 0;  // biased, of the block
  std::int8_t mantissas[16] = {};

  static Block of(const float *values, unsigned count, unsigned step = 1) {
    Block made;
    std::uint32_t largest = 0;
    for (unsigned i = 0; i < count; ++i) largest = std::max(largest, std::bit_cast<std::uint32_t>(values[i * step]) & 0x7fffffff);
    made.exponent = static_cast<int>(std::max<std::uint32_t>(largest >> 23, 7));
    for (unsigned i = 0; i < count; ++i) {
      const float scaled = std::nearbyint(std::ldexp(values[i * step], 6 + 127 - made.exponent));
      made.mantissas[i] = static_cast<std::int8_t>(std::fmin(std::fmax(scaled, -128.0f), 127.0f));
    }
    return made;
  }
  float operator[](unsigned i) const { return std::ldexp(float(mantissas[i]), exponent - 127 - 6); }
};

}  // namespace allo_aie

namespace aie {

/// N values in blocks of 8 or 16; in memory each block is its exponent and then its mantissas, a byte each.
template <typename T, unsigned N>
class block_vector : allo_aie::Value {
 public:
  using value_type = T;
  static constexpr unsigned block = T::block, blocks = N / T::block, bytes = blocks * (T::block + 1);
  static constexpr unsigned size() { return N; }

  float operator[](unsigned i) const {
    allo_aie::reads(this);
    return held[i / block][i % block];
  }
  allo_aie::Block &at(unsigned b) { return held[b]; }
  const allo_aie::Block &at(unsigned b) const { return held[b]; }

  static block_vector read(const void *from) {
    allo_aie::check_access(from, bytes, 1, "pop of a block vector");
    const std::uint8_t *p = static_cast<const std::uint8_t *>(from);
    block_vector made;
    allo_aie::issue_load(bytes);
    for (auto &b : made.held) {
      b.exponent = *p++;
      std::memcpy(b.mantissas, p, block);
      p += block;
    }
    return made;
  }
  void write(void *to) const {
    allo_aie::check_access(to, bytes, 1, "push of a block vector");
    allo_aie::begin();
    allo_aie::reads(this);
    allo_aie::issue_store(bytes);
    std::uint8_t *p = static_cast<std::uint8_t *>(to);
    for (const auto &b : held) {
      *p++ = static_cast<std::uint8_t>(b.exponent);
      std::memcpy(p, b.mantissas, block);
      p += block;
    }
  }

 private:
  allo_aie::Block held[blocks];
};

template <typename T, unsigned N>
class block_vector_input_buffer_stream {
 public:
  explicit block_vector_input_buffer_stream(const void *at) : at(static_cast<const char *>(at)) {}
  block_vector<T, N> pop() {
    const char *from = at;
    seek(1);
    return block_vector<T, N>::read(from);
  }
  block_vector<T, N> pop_seek(int n) {
    const char *from = at;
    seek(n + 1);
    return block_vector<T, N>::read(from);
  }
  void seek(int n) { at += n * int(block_vector<T, N>::bytes); }
  block_vector_input_buffer_stream &operator>>(block_vector<T, N> &v) {
    v = pop();
    return *this;
  }

 private:
  const char *at;
};
template <typename T, unsigned N>
class block_vector_output_buffer_stream {
 public:
  explicit block_vector_output_buffer_stream(void *at) : at(static_cast<char *>(at)) {}
  void push(const block_vector<T, N> &v) {
    v.write(at);
    seek(1);
  }
  block_vector_output_buffer_stream &operator<<(const block_vector<T, N> &v) {
    push(v);
    return *this;
  }
  void seek(int n) { at += n * int(block_vector<T, N>::bytes); }

 private:
  char *at;
};

template <typename T, unsigned N>
block_vector<T, N> transpose(const block_vector<T, N> &v, unsigned rows, unsigned cols) {
  float values[N];
  for (unsigned i = 0; i < N; ++i) values[i] = v[i % rows * cols + i / rows];
  block_vector<T, N> made;
  for (unsigned b = 0; b < made.blocks; ++b) made.at(b) = allo_aie::Block::of(values + b * T::block, T::block);
  allo_aie::issue_bits(allo_aie::Unit::move, N * 8);
  return made;
}

/// C[M, N] += A[M, K] B[K, N]; all tiles in row order.
template <unsigned M_, unsigned K_, unsigned N_, typename A, typename B = A, typename Tag = accauto>
class mmul {
 public:
  static constexpr unsigned M = M_, K = K_, N = N_;
  static constexpr unsigned size_A = M * K, size_B = K * N, size_C = M * N;
  using element_type_A = A;
  using element_type_B = B;
  static constexpr bool blocks = allo_aie::is_block<A>;
  using tag = std::conditional_t<!std::is_same_v<Tag, accauto>, Tag,
                                 std::conditional_t<blocks || allo_aie::is_float<A> || allo_aie::is_float<B>, accfloat,
                                                    std::conditional_t<(allo_aie::bits_of<A> + allo_aie::bits_of<B> <= 24) ||
                                                                           (K_ == 2 && allo_aie::bits_of<A> == 16),
                                                                       acc32, acc64>>>;
  using accum_type = accum<tag, size_C>;
  template <typename T, unsigned S>
  using tile = std::conditional_t<allo_aie::is_block<T>, block_vector<T, S>, vector<T, S>>;
  using vector_A_type = tile<A, size_A>;
  using vector_B_type = tile<B, size_B>;

  mmul() : sum{} {}
  mmul(const accum_type &before) : sum(before) {}
  template <typename Other>
  mmul(const accum<Other, size_C> &before) : sum(before) {}
  template <typename T>
  mmul(const vector<T, size_C> &before, int shift = 0) : sum(before, shift) {}

  void mul(const vector_A_type &a, const vector_B_type &b) {
    sum = accum_type{};
    mac(a, b);
  }
  void mac(const vector_A_type &a, const vector_B_type &b) {
    allo_aie::begin();
    if constexpr (blocks) {
      run([&](unsigned m, unsigned k) { return a[m * K + k]; }, [&](unsigned k, unsigned n) { return b[n * K + k]; });
    } else if constexpr (rounds_to_blocks) {
      float rows[size_A], columns[size_B];
      for (unsigned i = 0; i < size_A; ++i) rows[i] = float(a[i]);
      for (unsigned i = 0; i < size_B; ++i) columns[i] = float(b[i]);
      for (unsigned k = 0; k < K; k += 8) {
        for (unsigned m = 0; m < M; ++m) round(rows + m * K + k, 1);
        for (unsigned n = 0; n < N; ++n) round(columns + k * N + n, N);
      }
      allo_aie::issue_blocks(&a, size_A, false);
      allo_aie::issue_blocks(&b, size_B, true);
      run([&](unsigned m, unsigned k) { return rows[m * K + k]; }, [&](unsigned k, unsigned n) { return columns[k * N + n]; });
    } else {
      run([&](unsigned m, unsigned k) { return A(a[m * K + k]); }, [&](unsigned k, unsigned n) { return B(b[k * N + n]); });
    }
  }

  template <typename T>
  auto to_vector(int shift = 0) const {
    return sum.template to_vector<T>(shift);
  }
  accum_type to_accum() const { return sum; }
  operator accum_type() const { return sum; }
  const accum_type &data() const { return sum; }

 private:
#ifdef AIE_API_EMULATE_BFLOAT16_MMUL_WITH_BFP16
  static constexpr bool rounds_to_blocks = std::is_same_v<A, bfloat16> && std::is_same_v<B, bfloat16> && K % 8 == 0;
#else
  static constexpr bool rounds_to_blocks = false;
#endif
  static void round(float *values, unsigned step) {
    const auto block = allo_aie::Block::of(values, 8, step);
    for (unsigned i = 0; i < 8; ++i) values[i * step] = block[i];
  }
  template <typename FA, typename FB>
  void run(FA a, FB b) {
    for (unsigned m = 0; m < M; ++m)
      for (unsigned n = 0; n < N; ++n) {
        auto &lane = sum[m * N + n];
        for (unsigned k = 0; k < K; ++k) lane = accumulator<tag>::kept(allo_aie::multiplied<tag>(lane, a(m, k), b(k, n), 1));
      }
    const long count = std::max<long>(1, long(M) * K * N / allo_aie::macs<A, B>);
    allo_aie::issue(allo_aie::Unit::mac, count, &sum, accum_type::bits());
    allo_aie::is_made(&sum);
  }
  accum_type sum;
};

}  // namespace aie

namespace allo_aie {

template <typename T, unsigned N>
aie::block_vector<T, N> to_blocks(const aie::accum<accfloat, N> &a) {
  aie::block_vector<T, N> made;
  for (unsigned b = 0; b < made.blocks; ++b) made.at(b) = Block::of(&a[b * T::block], T::block);
  issue_vector(N * 8);
  return made;
}

}  // namespace allo_aie
