// The order in which a BD visits memory, in runs along its innermost dimension.
#pragma once
#include "bd.h"
#include <algorithm>
#include <cstring>
#include <optional>

namespace sim {

struct Run {
  int64_t at = 0;    // word address of the first word
  int64_t count = 0; // words
  int64_t step = 1;
  bool zeros = false; // padding: no memory is touched
};

// The words that a walk visits, in the order of their addresses: `words` in a row, as often as `rows` say, from `first` to `last` in all.
struct Area {
  struct Rows {
    int64_t count = 1, step = 0;
  };
  int64_t first = 0, last = -1, words = 0;
  std::array<Rows, 4> rows;
  template <class Visit> void each(Visit visit) const {
    for (int64_t d = 0; d < rows[3].count; ++d)
      for (int64_t c = 0; c < rows[2].count; ++c)
        for (int64_t b = 0; b < rows[1].count; ++b)
          for (int64_t a = 0; a < rows[0].count; ++a)
            visit(first + a * rows[0].step + b * rows[1].step + c * rows[2].step + d * rows[3].step);
  }
};

class Walk {
public:
  Walk() = default;
  explicit Walk(const Bd &bd);
  int64_t contiguous() const { return dims_[0].step != 1 ? 1 : dims_[0].wrap && n_ > 1 ? dims_[0].wrap : left_; }
  int64_t left() const { return left_; }
  // The next words in order, at most `limit`; empty when the BD is done.
  Run next(int64_t limit);
  void skip(int64_t words) { left_ -= words; } // where nobody asks for addresses any more
  std::optional<Area> area() const;            // of a walk that begins; none where it pads or its words do not lie in rows

  // The next `n` words of a walk that has an area, to `words` or from there.
  void load(const Word *memory, Word *words, int64_t n) {
    each(n, memory, words, [](const Word *at, Word *w) { *w = *at; }, [](const Word *at, Word *w, size_t bytes) { std::memcpy(w, at, bytes); });
  }
  void store(Word *memory, const Word *words, int64_t n) {
    each(n, memory, words, [](Word *at, const Word *w) { *at = *w; }, [](Word *at, const Word *w, size_t bytes) { std::memcpy(at, w, bytes); });
  }

private:
  template <class M, class W, class One, class Many> void each(int64_t n, M *memory, W *words, One one, Many many) {
    while (n > 0) {
      int64_t rows = 1, row = 0, at = 0, step = dims_[0].step, apart = 0;
      if (n_ > 1 && count_[0] == 0 && n >= dims_[0].wrap) {
        row = dims_[0].wrap, apart = dims_[1].step, rows = n / row;
        if (dims_[1].wrap) rows = std::min(rows, dims_[1].wrap - count_[1]);
        at = base_;
        for (int i = 1; i < n_; ++i) at += count_[i] * dims_[i].step;
        left_ -= rows * row, count_[1] += rows;
        for (int i = 1; i + 1 < n_ && count_[i] == dims_[i].wrap; ++i) count_[i] = 0, ++count_[i + 1];
      } else {
        const Run run = next(n);
        at = run.at, row = run.count;
      }
      n -= rows * row;
      auto move = [&](auto size) {
        for (M *from = memory + at; rows > 0; --rows, from += apart, words += row) many(from, words, size_t(size) * 4);
      };
      if (step != 1)
        for (M *from = memory + at; rows > 0; --rows, from += apart)
          for (int64_t i = 0; i < row; ++i) one(from + i * step, words++);
      else if (row == 4) move(std::integral_constant<int, 4>()); // of a size that the compiler knows
      else if (row == 2) move(std::integral_constant<int, 2>());
      else if (row == 8) move(std::integral_constant<int, 8>());
      else move(row);
    }
  }
  std::array<BdDim, 4> dims_;
  std::array<int64_t, 4> count_{};
  int n_ = 1;
  int64_t base_ = 0, left_ = 0;
  bool padded_ = false;
};

} // namespace sim
