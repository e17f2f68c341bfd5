#include "findings.h"

namespace sim {

static bool same(const Finding &a, const Finding &b) {
  return a.kind == b.kind && a.agent == b.agent && a.other == b.other && a.col == b.col && a.row == b.row && a.lock == b.lock &&
         a.buffer == b.buffer && a.argument == b.argument && a.access == b.access && a.otherAccess == b.otherAccess;
}

void Judge::report(Finding finding) {
  if (strict && fault && !ending) return;
  fault = true;
  for (Finding &known : findings)
    if (same(known, finding)) {
      ++known.count;
      return;
    }
  findings.push_back(std::move(finding));
}

} // namespace sim
