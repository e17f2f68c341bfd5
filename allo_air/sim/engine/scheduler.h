// Time: agents that ask to be stepped at a cycle, in a wheel of buckets with a heap for the far future.
#pragma once
#include "types.h"
#include <queue>
#include <vector>

namespace sim {

class Scheduler;

class Stepped {
public:
  virtual ~Stepped() = default;
  virtual void step(Cycle now) = 0;
  void wake(Cycle at); // at that cycle or earlier than asked before; never before busyUntil
  Scheduler *scheduler = nullptr;
  Cycle next = kNever, busyUntil = 0;
};

class Scheduler {
public:
  Cycle now = 0;
  int64_t steps = 0; // of agents
  void put(Stepped *agent, Cycle at) {
    ++pending_;
    if (at - now < kSpan) wheel_[at & (kSpan - 1)].push_back(agent);
    else far_.push({at, order_++, agent});
  }
  // Steps all agents of the next busy cycle; false when nothing is scheduled any more.
  bool advance() {
    if (pending_ == 0) return false;
    for (approach(); wheel_[now & (kSpan - 1)].empty(); approach()) {
      if (pending_ == int64_t(far_.size())) now = far_.top().at;
      else ++now;
    }
    auto &bucket = wheel_[now & (kSpan - 1)];
    for (size_t i = 0; i < bucket.size(); ++i) { // agents may be added to this very cycle
      Stepped *agent = bucket[i];
      --pending_;
      if (agent->next != now) continue;
      agent->next = kNever;
      ++steps;
      agent->step(now);
    }
    bucket.clear();
    ++now;
    return true;
  }

private:
  void approach() { // the far future comes into the wheel
    while (!far_.empty() && far_.top().at - now < kSpan) {
      wheel_[far_.top().at & (kSpan - 1)].push_back(far_.top().agent);
      far_.pop();
    }
  }
  static constexpr Cycle kSpan = 1024;
  struct Far {
    Cycle at;
    uint64_t order;
    Stepped *agent;
    bool operator<(const Far &o) const { return at != o.at ? at > o.at : order > o.order; }
  };
  std::vector<Stepped *> wheel_[kSpan];
  std::priority_queue<Far> far_;
  uint64_t order_ = 0;
  int64_t pending_ = 0;
};

inline void Stepped::wake(Cycle at) {
  if (at < busyUntil) at = busyUntil;
  if (at < scheduler->now) at = scheduler->now;
  if (at >= next) return;
  next = at;
  scheduler->put(this, at);
}

} // namespace sim
