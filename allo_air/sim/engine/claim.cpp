#include "claim.h"
#include <utility>

namespace sim {

bool Claim::take(Memory &memory, const Walk &walk) {
  const std::optional<Area> area = walk.area();
  if (!area || (area->words < Stretch::kWords && area->words < walk.left())) return false;
  if (!memory.admits(party_, *area, writes_)) return false;
  memory_ = &memory, walk_ = walk, area_ = *area, site_ = party_.site, moved_ = 0;
  memory.claims.push_back(this);
  return true;
}

void Claim::drop() {
  if (memory_) std::erase(memory_->claims, this);
  memory_ = nullptr;
}

void Claim::settle(Cycle now) {
  if (!memory_) return;
  Memory &memory = *memory_;
  drop();
  const int64_t site = std::exchange(party_.site, site_);
  auto enter = [&](int64_t at, int64_t words, int64_t step) {
    writes_ ? memory.write(party_, at, words, step, now) : memory.read(party_, at, words, step, now);
  };
  if (moved_ == walk_.left()) area_.each([&](int64_t at) { enter(at, area_.words, 1); });
  else
    for (int64_t n = moved_; n > 0;) {
      const Run run = walk_.next(n);
      enter(run.at, run.count, run.step);
      n -= run.count;
    }
  party_.site = site;
}

} // namespace sim
