// Circuits of channels in an array of timing only: words move in blocks during which nobody at either end stops or starts.
#include "control_port.h"
#include <algorithm>

namespace sim {

// Packets, cores and units outside look at single words.
bool Net::flows() const {
  if (streams.size() != 1 || !streams[0]->channel || streams[0]->routes.size() != 1 || !streams[0]->routes[0].circuit) return false;
  for (auto &d : streams[0]->routes[0].dests)
    if (!d.sink->channel || (d.sink->channel->control() & kFinishOnLast)) return false;
  return true;
}

void Net::flow(Cycle now) {
  Stream &s = *streams[0];
  auto &dests = s.routes[0].dests;
  const int64_t rate = machine_.rate();
  const Cycle fill = Cycle(machine_.timing.dma_mm2s_fill);
  pipes_.resize(dests.size());
  Cycle wants = kNever;
  int64_t n = s.channel->movable(now, wants);
  const bool sends = n > 0;
  std::vector<int64_t> &takes = takes_;
  takes.assign(dests.size(), 0);
  int64_t drained = kNever;
  for (size_t i = 0; i < dests.size(); ++i) {
    const Pipe &pipe = pipes_[i];
    const int64_t room = s.staging.capacity + dests[i].sink->fifo.capacity - pipe.held;
    int64_t can = dests[i].sink->channel->movable(now, wants);
    if (can > 0 && (pipe.held == 0 || pipe.visible > now)) {
      const Cycle comes = pipe.held ? pipe.visible : sends ? now + fill + dests[i].latency : kNever;
      if (pipe.held) wants = std::min(wants, comes); // words that may not be sent come at no time
      if (comes != kNever) n = std::min(n, (comes - now) * rate);
      can = 0;
    }
    takes[i] = can;
    n = std::min(n, can > 0 ? can : std::max<int64_t>(room, 0));
    if (can > 0) drained = std::min({drained, can, pipe.held});
  }
  if (n <= 0) { // only what is on the way is taken
    n = 0;
    if (sends) s.channel->waits(now);
    if (drained == kNever) {
      for (size_t i = 0; i < dests.size(); ++i)
        if (pipes_[i].held == 0 || pipes_[i].visible > now) dests[i].sink->channel->starves(now);
      if (wants != kNever) wake(std::max(wants, now + 1));
      return;
    }
  }
  const int64_t words = n > 0 ? n : drained;
  const Cycle cycles = (words + rate - 1) / rate;
  if (n > 0) s.channel->moved(n, cycles, now);
  for (size_t i = 0; i < dests.size(); ++i) {
    Pipe &pipe = pipes_[i];
    if (n > 0 && pipe.held == 0) pipe.visible = now + fill + dests[i].latency;
    pipe.held += n;
    if (takes[i] == 0) continue;
    const int64_t taken = std::min(words, pipe.held);
    pipe.held -= taken;
    dests[i].sink->channel->moved(taken, cycles, now);
  }
  busyUntil = now + cycles;
  wake(busyUntil);
}

} // namespace sim
