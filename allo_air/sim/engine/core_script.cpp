// A core that runs a script on its fibre, in place of native code.
#include "core.h"
#include "steady.h"

namespace sim {

void Core::enterScript(void **) { currentCore->runScript(); }

void Core::runScript() {
  constexpr int kMost = 64; // words at once
  Word words[kMost] = {};
  uint8_t line[64] = {};
  place = {};
  while (place.at < int64_t(script.size())) {
    const ScriptStep &s = script[size_t(place.at++)];
    switch (s.op) {
    case ScriptStep::Work: work(int(s.a), s.b, s.c); break;
    case ScriptStep::Lock: useLock(int(s.a), int(s.b), int(s.c)); break;
    case ScriptStep::Get:
      for (int64_t n = s.b; n > 0; n -= kMost) get(int(s.a), words, int(std::min<int64_t>(n, kMost)));
      break;
    case ScriptStep::Put:
      for (int64_t n = s.b; n > 0; n -= kMost) put(int(s.a), words, int(std::min<int64_t>(n, kMost)), false, 0);
      break;
    case ScriptStep::CascadeGet: cascadeGet(line); break;
    case ScriptStep::CascadePut: cascadePut(line); break;
    case ScriptStep::Event: event(int(s.a)); break;
    case ScriptStep::Call:
      spend();
      wake(now() + 1);
      suspend();
      debt_ += s.a, counters.busy += s.a;
      break;
    case ScriptStep::Loop:
      if (s.a == 0) place.at = s.b;
      else place.rounds.push_back({place.at - 1, 0});
      break;
    case ScriptStep::Next: {
      const ScriptStep &loop = script[size_t(s.a)];
      int64_t done = ++place.rounds.back().done;
      bool more = loop.a < 0 || done < loop.a;
      if (more) place.at = s.a + 1;
      else place.rounds.pop_back();
      if (more && machine.steady) spend(), machine.steady->round(*this);
      break;
    }
    }
  }
}

} // namespace sim
