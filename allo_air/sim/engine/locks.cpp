#include "locks.h"

namespace sim {

// Lock values are -64..63 in the change field's arithmetic and 0..63 in the register (simulator-semantics.md 11).
static constexpr int kMax = 63, kMin = -64;

void Lock::note(Uses &uses, const Actor &actor) {
  used = true;
  for (auto &[who, times] : uses)
    if (who == actor) {
      ++times;
      return;
    }
  uses.push_back({actor, 1});
}

void Lock::changed() {
  std::vector<Stepped *> woken;
  woken.swap(waiters_);
  for (Stepped *w : woken) w->wake(w->scheduler->now);
}

void Lock::set(int to, const Clock &clock) {
  while (int(tokens_.size()) > to && !tokens_.empty()) tokens_.pop_back();
  while (int(tokens_.size()) < to) tokens_.push_back(clock);
  value = to;
  last_ = clock;
  changed();
}

bool Lock::acquire(int wanted, Party &party, const Actor &actor, Stepped *waiter) {
  used = true;
  int amount = wanted < 0 ? -wanted : wanted;
  if (wanted < 0 ? value < amount : value != amount) {
    for (Stepped *w : waiters_)
      if (w == waiter) return false;
    waiters_.push_back(waiter);
    return false;
  }
  if (amount == 0) party.join(last_);
  for (int i = 0; i < amount && !tokens_.empty(); ++i) {
    party.join(tokens_.front());
    tokens_.pop_front();
  }
  value -= amount;
  note(acquires, actor);
  if (amount) changed();
  return true;
}

void Lock::release(int amount, const Clock &clock, const Actor &actor, Judge &judge, Cycle now) {
  note(releases, actor);
  int to = value + amount;
  if (to > kMax || to < 0) {
    Finding f;
    f.kind = to > kMax ? "lock-overflow" : "lock-underflow";
    f.cycle = now, f.agent = actor, f.col = col, f.row = row, f.lock = id, f.value = to, f.wanted = to > kMax ? kMax : 0;
    f.detail = "a release of " + std::to_string(amount) + " takes the lock from " + std::to_string(value) + " to " + std::to_string(to) +
               "; it holds 0 to 63";
    judge.report(std::move(f));
    to = std::min(std::max(to, kMin), kMax);
  }
  while (int(tokens_.size()) < to) tokens_.push_back(clock);
  while (int(tokens_.size()) > std::max(to, 0)) tokens_.pop_back();
  last_ = clock;
  value = to;
  changed();
}

} // namespace sim
