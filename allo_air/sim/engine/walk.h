// The address generator of a BD: the order in which its words are visited, as runs along the innermost dimension.
#pragma once
#include "bd.h"
#include <algorithm>

namespace sim {

struct Run {
  int64_t at = 0;    // word address of the first word
  int64_t count = 0; // words
  int64_t step = 1;
  bool zeros = false; // padding: no memory is touched
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

private:
  std::array<BdDim, 4> dims_;
  std::array<int64_t, 4> count_{};
  int n_ = 1;
  int64_t base_ = 0, left_ = 0;
  bool padded_ = false;
};

} // namespace sim
