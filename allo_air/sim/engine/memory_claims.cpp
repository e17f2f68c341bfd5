// Claims of a memory: what BDs may access as a whole, and who has to wait until that is in the shadow.
#include "claim.h"

namespace sim {

void Memory::meet(int64_t first, int64_t last, bool write, Cycle now) {
  for (size_t i = claims.size(); i-- > 0;)
    if (i < claims.size() && claims[i]->meets(first, last, write)) claims[i]->settle(now), i = claims.size();
}

void Memory::settle(Cycle now) {
  while (!claims.empty()) claims.back()->settle(now);
}

// The area lies in one buffer, in which no other begins.
bool Memory::admits(const Party &party, const Area &area, bool write) const {
  const int64_t first = area.first * 4, end = area.last * 4 + 4;
  if (first < 0 || end > size_) return false;
  if (!buffers_.empty()) {
    const Extent *buffer = bufferAt(first);
    if (!buffer || end > buffer->offset + buffer->bytes) return false;
    auto next = std::upper_bound(buffers_.begin(), buffers_.end(), first, [](int64_t o, const Extent &e) { return o < e.offset; });
    if (next != buffers_.end() && next->offset < end) return false;
  }
  for (const Claim *c : claims)
    if (c->meets(area.first, area.last, write)) return false;
  bool all = true;
  area.each([&](int64_t at) { all = all && admits(party, at, area.words, write); });
  return all;
}

bool Memory::admits(const Party &party, int64_t at, int64_t words, bool write) const {
  auto well = [&](Stamp writer, Stamp reader) {
    return ordered(party, writer) && (!write || (reader != kMany && ordered(party, reader)));
  };
  for (const int64_t end = at + words; at < end;) {
    const int64_t i = at / Stretch::kWords, begin = i * Stretch::kWords, stop = std::min(end, begin + Stretch::kWords);
    const Stretch &s = stretches_[size_t(i)];
    if (!s.mixed) {
      if (!s.all(at - begin, stop - begin, [&](const Stretch::Part &p) { return well(p.writer, p.reader); })) return false;
      at = stop;
      continue;
    }
    Stamp writer = 0, reader = 0; // the last ones found to be well
    for (; at < stop; ++at) {
      if (!write && mask_[size_t(at)] != 15) return false;
      if (writer_[at] == writer && reader_[at] == reader) continue;
      writer = writer_[at], reader = reader_[at];
      if (!well(writer, reader)) return false;
    }
  }
  return true;
}

} // namespace sim
