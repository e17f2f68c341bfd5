// Look-up tables: values by index, and linear pieces.
#pragma once

#include "matmul.hpp"

namespace aie {

enum class lut_oor_policy { saturate, truncate };

/// A table that is read at `Parallel` places at once: chunks of 128 bits, each stored twice in either of its two copies.
template <unsigned Parallel, typename Offset, typename Slope = Offset>
struct lut {
  using offset_type = Offset;
  using slope_type = Slope;
  static constexpr unsigned parallel = Parallel;
  lut(unsigned elements, const void *ab, const void *cd) : elements(elements), ab(ab) { (void)cd; }
  lut(unsigned elements, const void *ab) : elements(elements), ab(ab) {}

  /// The `bytes` bytes of entry `i`.
  const std::uint8_t *entry(unsigned i, unsigned bytes) const {
    const unsigned per_chunk = 16 / bytes, copies = Parallel == 4 ? 2 : 1;
    return static_cast<const std::uint8_t *>(ab) + i / per_chunk * 16 * copies + i % per_chunk * bytes;
  }
  unsigned elements;
  const void *ab;
};

template <lut_oor_policy Policy>
unsigned lut_index(long index, unsigned elements) {
  if (Policy == lut_oor_policy::saturate) return index < 0 ? 0 : index >= long(elements) ? elements - 1 : unsigned(index);
  return unsigned(index) & (elements - 1);
}

/// table[(x >> step_bits) + bias]
template <typename T, typename Table, lut_oor_policy Policy = lut_oor_policy::saturate>
class parallel_lookup {
 public:
  parallel_lookup(const Table &table, unsigned step_bits, int bias = 0) : table(table), step_bits(step_bits), bias(bias) {}
  template <typename Index, unsigned N>
  auto fetch(const vector<Index, N> &x) const {
    using V = typename Table::offset_type;
    return allo_aie::each<V, N>([&](unsigned i) {
      V made;
      std::memcpy(&made, table.entry(lut_index<Policy>((long(x[i]) >> step_bits) + bias, table.elements), sizeof(V)), sizeof(V));
      return made;
    });
  }

 private:
  const Table &table;
  unsigned step_bits;
  int bias;
};

/// slope * x + (offset << shift), with slope and offset at (x >> step_bits) + bias
template <typename T, typename Table>
class linear_approx {
 public:
  linear_approx(const Table &table, int step_bits, int bias = 0, int shift = 0)
      : table(table), step_bits(step_bits), bias(bias), shift(shift) {}
  template <unsigned N>
  auto compute(const vector<T, N> &x) const {
    using Offset = typename Table::offset_type;
    using Slope = typename Table::slope_type;
    using Tag = std::conditional_t<allo_aie::is_float<T>, accfloat, acc64>;
    constexpr unsigned wide = std::max(sizeof(Offset), sizeof(Slope));
    return allo_aie::each_acc<Tag, N>([&](unsigned i) {
      const long index = allo_aie::is_float<T> ? long(std::floor(std::ldexp(float(x[i]), -step_bits))) : long(x[i]) >> step_bits;
      const std::uint8_t *pair = table.entry(lut_index<lut_oor_policy::saturate>(index + bias, table.elements), 2 * wide);
      Slope slope;
      Offset offset;
      std::memcpy(&slope, pair, sizeof(Slope));
      std::memcpy(&offset, pair + wide, sizeof(Offset));
      if constexpr (allo_aie::is_float<T>)
        return float(slope) * float(x[i]) + float(offset);
      else
        return __int128(slope) * x[i] + (__int128(offset) << shift);
    });
  }

 private:
  const Table &table;
  int step_bits, bias, shift;
};

}  // namespace aie
