#include "findings.h"
#include <algorithm>
#include <cstring>

namespace sim {

static bool same(const Finding &a, const Finding &b) {
  return a.kind == b.kind && a.agent == b.agent && a.other == b.other && a.col == b.col && a.row == b.row && a.lock == b.lock &&
         a.buffer == b.buffer && std::string(a.cause) == b.cause && a.argument == b.argument && a.access == b.access && a.otherAccess == b.otherAccess;
}

int Judge::report(Finding finding) {
  if (strict && fault && !ending) return -1;
  fault = true;
  for (size_t i = 0; i < findings.size(); ++i)
    if (same(findings[i], finding)) {
      ++findings[i].count;
      return int(i);
    }
  findings.push_back(std::move(finding));
  return int(findings.size()) - 1;
}

void Judge::unsettled(int finding, const void *party, const uint8_t *word, unsigned mask) {
  if (finding < 0) return;
  Unsettled u{finding, party, word, mask, {}};
  std::memcpy(u.before, word, 4);
  unsettled_.push_back(u);
}

void Judge::settle(const void *party) {
  auto settled = [&](const Unsettled &u) {
    if (u.party != party) return false;
    bool equal = true;
    for (int b = 0; b < 4; ++b) equal = equal && (!(u.mask >> b & 1) || u.before[b] == u.word[b]);
    ++(equal ? findings[size_t(u.finding)].same : findings[size_t(u.finding)].differs);
    return true;
  };
  unsettled_.erase(std::remove_if(unsettled_.begin(), unsettled_.end(), settled), unsettled_.end());
}

} // namespace sim
