// A queue of stream words, each with the cycle at which it can be taken, and the clocks of those who sent them.
#pragma once
#include "origins.h"
#include <cstring>

namespace sim {

enum Flag : uint8_t { kLast = 1, kEndOfBd = 2 };

class Fifo {
public:
  int64_t capacity = 0;
  void resize(int64_t words) {
    capacity = words;
    size_t n = 1;
    while (int64_t(n) < words + 8) n *= 2;
    data_.resize(n), ready_.resize(n), flags_.resize(n);
  }
  int64_t size() const { return pushed_ - popped_; }
  int64_t pushed() const { return pushed_; }
  int64_t popped() const { return popped_; }
  bool full() const { return size() >= capacity; }
  bool takeable(Cycle now) const { return pushed_ != popped_ && ready_[at(popped_)] <= now; }
  Cycle frontReady() const { return pushed_ == popped_ ? kNever : ready_[at(popped_)]; }
  Word front() const { return data_[at(popped_)]; }
  uint8_t frontFlags() const { return flags_[at(popped_)]; }
  void push(Word w, Cycle ready, uint8_t flags) {
    size_t i = at(pushed_++);
    data_[i] = w, ready_[i] = ready, flags_[i] = flags;
  }
  // Where words come from, once it is recorded: the word pushed last, and the word in front.
  void record() { sent_.resize(data_.size()); }
  Sent &sentLast() { return sent_[at(pushed_ - 1)]; }
  const Sent &sentFront() const { return sent_[at(popped_)]; }
  Word pop() { return data_[at(popped_++)]; }

  void clear() {
    popped_ = pushed_;
    marks_.clear();
  }

  // Clocks travel with the words: a mark covers all words from its position on.
  void mark(const Clock &clock) {
    if (!clock) return; // nothing is known
    if (marks_.empty() || marks_.back().second != clock) marks_.push_back({pushed_, clock});
  }
  bool marked() const { return !marks_.empty() && marks_.front().first <= popped_; }
  bool anyMark() const { return !marks_.empty(); }
  Clock takeMark() {
    Clock c = marks_.front().second;
    marks_.pop_front();
    return c;
  }

  // Whether `rate` words can be taken in every cycle from `now` on, so that what is pushed `latency` later never leaves a gap.
  bool steady(Cycle now, int64_t rate, Cycle latency) const {
    if (size() < latency * rate || size() > capacity) return false;
    for (int64_t i = 0; i < size(); ++i)
      if (ready_[at(popped_ + i)] > now + i / rate || flags_[at(popped_ + i)]) return false;
    return true;
  }
  void copy(Word *to) const {
    for (int64_t i = 0; i < size(); ++i) to[i] = data_[at(popped_ + i)];
  }
  // Takes `n` words and puts `n` words of which `left` (its new content, as long as the old) remain, the last one ready at `ready`.
  void slide(int64_t n, const Word *left, Cycle ready, int64_t rate) {
    int64_t held = size();
    popped_ += n, pushed_ += n;
    for (int64_t i = 0; i < held; ++i) {
      size_t k = at(popped_ + i);
      data_[k] = left[i], ready_[k] = ready - (held - 1 - i) / rate, flags_[k] = 0;
    }
  }

private:
  size_t at(int64_t i) const { return size_t(i) & (data_.size() - 1); }
  std::vector<Word> data_;
  std::vector<Cycle> ready_;
  std::vector<uint8_t> flags_;
  std::vector<Sent> sent_;
  std::deque<std::pair<int64_t, Clock>> marks_;
  int64_t pushed_ = 0, popped_ = 0;
};

} // namespace sim
