#include "origins.h"

namespace sim {

// kind (2 bits) | party (12) | site (16, all ones when larger) | cycle (34), or kind | index.
enum : Origin { kStore = Origin(1) << 62, kMove = Origin(2) << 62, kMixed = Origin(3) << 62, kKind = Origin(3) << 62 };
static constexpr Origin kNoSite = 0xFFFF, kCycles = (Origin(1) << 34) - 1;

Origin Origins::store(const Party &party, Cycle now) {
  Origin site = party.site < 0 || party.site > 0xFFFE ? kNoSite : Origin(party.site);
  return kStore | Origin(party.index & 0xFFF) << 50 | site << 34 | (Origin(now) & kCycles);
}

void Origins::write(Bytes &bytes, int64_t offset, int64_t count, Origin origin) {
  if (int64_t(bytes.size()) < offset + count) bytes.resize(size_t(offset + count));
  for (int64_t i = offset; i < offset + count; ++i) bytes[size_t(i)] = origin;
}

Origin Origins::move(const Sent &sent, const Party &party, int64_t task, Cycle now) {
  moves_.push_back({sent, party.index, party.site, task, now});
  return kMove | Origin(moves_.size() - 1);
}

static Origin at(const Bytes &bytes, int64_t offset) { return offset >= 0 && offset < int64_t(bytes.size()) ? bytes[size_t(offset)] : 0; }

Origin Origins::word(const Bytes &bytes, int64_t offset) {
  std::array<Origin, 4> all;
  for (int i = 0; i < 4; ++i) all[i] = at(bytes, offset + i);
  if (all[0] == all[1] && all[1] == all[2] && all[2] == all[3]) return all[0];
  mixed_.push_back(all);
  return kMixed | Origin(mixed_.size() - 1);
}

std::vector<Step> Origins::trace(const Bytes &bytes, int64_t offset) const {
  std::vector<Step> steps;
  const int lane = int(offset & 3);
  for (Origin o = at(bytes, offset); o != 0;) {
    Origin index = o & ~kKind;
    if ((o & kKind) == kMixed) {
      o = mixed_[index][lane];
    } else if ((o & kKind) == kStore) {
      Origin site = (o >> 34) & 0xFFFF;
      steps.push_back({"store", describe(*parties_[(o >> 50) & 0xFFF], site == kNoSite ? -1 : int64_t(site)), {}, -1, -1, {}, Cycle(o & kCycles)});
      break;
    } else {
      const Move &m = moves_[index];
      Step step{"move", describe(*parties_[m.party], m.site), {}, m.task, m.sent.task, m.sent.from, m.cycle};
      if (m.sent.party >= 0) step.other = describe(*parties_[m.sent.party], m.sent.site);
      steps.push_back(step);
      o = m.sent.origin;
    }
  }
  return steps;
}

} // namespace sim
