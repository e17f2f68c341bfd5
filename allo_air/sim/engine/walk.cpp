#include "walk.h"

namespace sim {

Walk::Walk(const Bd &bd) : dims_(bd.dims), n_(bd.dimCount), base_(bd.base + bd.iterOffset()), left_(bd.length), padded_(bd.padded()) {
  // Dimensions behind one that does not wrap are never reached; contiguous neighbours are one dimension.
  for (int i = 0; i + 1 < n_; ++i)
    if (dims_[i].wrap == 0) n_ = i + 1;
  while (!padded_ && n_ > 1 && dims_[0].wrap * dims_[0].step == dims_[1].step) {
    int64_t step = dims_[0].step, wrap = n_ == 2 ? 0 : dims_[0].wrap * dims_[1].wrap;
    for (int i = 0; i + 1 < n_; ++i) dims_[i] = dims_[i + 1];
    dims_[0].step = step, dims_[0].wrap = wrap;
    --n_;
  }
}

Run Walk::next(int64_t limit) {
  limit = std::min(limit, left_);
  if (limit <= 0) return {};
  Run run{base_, 0, dims_[0].step, false};
  for (int i = 1; i < n_; ++i) {
    int64_t c = count_[i] - dims_[i].before;
    if (c < 0 || (dims_[i].wrap && c >= dims_[i].wrap)) run.zeros = true;
    run.at += c * dims_[i].step;
  }
  const BdDim &d = dims_[0];
  int64_t c = count_[0] - d.before;
  int64_t end = d.wrap ? d.before + d.wrap + d.after : kNever; // of the row
  int64_t stop = end;
  if (c < 0) run.zeros = true, stop = d.before;
  else if (d.wrap && c >= d.wrap) run.zeros = true;
  else if (d.wrap) stop = d.before + d.wrap;
  run.at += c * d.step;
  run.count = std::min(limit, stop - count_[0]);
  left_ -= run.count;
  count_[0] += run.count;
  for (int i = 0; i + 1 < n_ && count_[i] == dims_[i].before + dims_[i].wrap + dims_[i].after; ++i) count_[i] = 0, ++count_[i + 1];
  return run;
}

std::optional<Area> Walk::area() const {
  if (padded_ || left_ == 0) return std::nullopt;
  std::array<Area::Rows, 4> dims;
  int n = 0;
  int64_t inner = 1;
  for (int i = 0; i < n_; ++i) {
    int64_t count = dims_[i].wrap;
    if (i + 1 == n_) {
      if (left_ % inner || (count && count < left_ / inner)) return std::nullopt;
      count = left_ / inner;
    }
    if (dims_[i].step < 0) return std::nullopt;
    inner *= count;
    if (count == 1 || dims_[i].step == 0) continue; // steps of 0 visit the same words again
    int at = n++;
    for (; at > 0 && dims[at - 1].step > dims_[i].step; --at) dims[at] = dims[at - 1];
    dims[at] = {count, dims_[i].step};
  }
  if (inner != left_) return std::nullopt;
  Area area;
  area.first = area.last = base_;
  for (int i = 0; i < n; ++i) area.last += (dims[i].count - 1) * dims[i].step;
  area.words = 1;
  int rows = 0;
  for (int i = 0; i < n; ++i) {
    if (rows == 0 && dims[i].step == area.words) area.words *= dims[i].count;
    else area.rows[rows++] = dims[i];
  }
  return area;
}

} // namespace sim
