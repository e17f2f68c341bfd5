// One cycle of a net: sinks take words, streams pass them on, channels put words in; steady streams move in blocks.
#include "control_port.h"

namespace sim {

void Net::step(Cycle now) {
  if (machine_.steady) {
    if (!flows_) flows_ = flows();
    if (*flows_) return flow(now);
  }
  if (machine_.timing.burst > 0 && !machine_.origins.on && burst(now)) return;
  bool moved = false;
  Cycle wants = kNever;
  for (Sink *s : sinks) moved |= drain(*s, now, wants);
  for (Stream *s : streams) moved |= move(*s, now, wants);
  for (Stream *s : streams)
    if (s->channel) moved |= s->channel->step(now, wants);
  if (moved) wants = now + 1;
  if (wants != kNever) wake(std::max(wants, now + 1));
}

bool Net::drain(Sink &s, Cycle now, Cycle &wants) {
  if (s.channel) return s.channel->step(now, wants);
  if (!s.outside && !s.control) return false; // a core takes its words itself
  bool moved = false;
  for (int64_t i = 0; i < machine_.rate() && s.fifo.takeable(now); ++i, moved = true) {
    bool last = s.fifo.frontFlags() & kLast;
    Word w = s.fifo.pop();
    while (s.fifo.marked()) {
      Clock clock = s.fifo.takeMark();
      if (s.control) s.control->join(clock);
    }
    if (s.control) s.control->take(w, last);
  }
  wants = std::min(wants, s.fifo.frontReady());
  return moved;
}

bool Sink::ofTraces() const {
  for (const Stream *s : sources)
    if (s->port.name != "Trace") return false;
  return true;
}

Route *Stream::routeOf(Word header) {
  for (Route &r : routes)
    if (r.circuit || ((header & r.mask & 31) == (r.id & r.mask & 31))) return &r;
  return nullptr;
}

Sink *Stream::heldElsewhere() {
  Route *next = current || staging.size() == 0 ? nullptr : routeOf(staging.front());
  if (next)
    for (auto &d : next->dests)
      if (d.sink->holder && d.sink->holder != this) return d.sink;
  return nullptr;
}

// Finds the route of the packet whose header is in front and takes the arbiters of all its sinks.
bool Net::open(Stream &s, Cycle now) {
  Word header = s.staging.front();
  Route *found = s.routeOf(header);
  if (!found) {
    Finding f;
    f.kind = "channel-misuse", f.cycle = now, f.agent = s.channel ? s.channel->actor() : Actor{s.port.col, s.port.row, "core"};
    f.col = s.port.col, f.row = s.port.row, f.value = header & 31;
    f.detail = "a packet with id " + std::to_string(header & 31) + " matches no packet flow of its source and is dropped", f.cause = "packet-id";
    machine_.judge.report(std::move(f));
    s.dropping = true;
    return true;
  }
  for (auto &d : found->dests)
    if (d.sink->holder && d.sink->holder != &s) return false;
  s.current = found;
  if (found->circuit) return true;
  for (auto &d : found->dests) d.sink->holder = &s;
  s.ready = now + Cycle(machine_.timing.packet_arbitration);
  s.headerInFront = true;
  return true;
}

bool Net::move(Stream &s, Cycle now, Cycle &wants) {
  bool moved = false;
  for (int64_t i = 0; i < machine_.rate(); ++i) {
    if (!s.staging.takeable(now)) {
      wants = std::min(wants, s.staging.frontReady());
      break;
    }
    if (!s.current && !s.dropping) {
      if (!open(s, now)) {
        if (s.blockedSince < 0) s.blockedSince = now;
        break;
      }
    }
    if (s.ready > now) {
      wants = std::min(wants, s.ready);
      break;
    }
    bool header = s.headerInFront;
    bool room = true;
    if (s.current)
      for (auto &d : s.current->dests)
        if (d.sink->fifo.full() && (!header || (d.keepHeader && !d.sink->control))) room = false;
    if (!room) {
      if (s.blockedSince < 0) s.blockedSince = now;
      break;
    }
    s.blockedSince = -1;
    uint8_t flags = s.staging.frontFlags();
    Clock clock;
    while (s.staging.marked()) {
      clock = s.staging.takeMark();
      if (s.current)
        for (auto &d : s.current->dests) d.sink->fifo.mark(clock);
    }
    Sent sent;
    if (machine_.origins.on) sent = s.staging.sentFront();
    Word w = s.staging.pop();
    s.headerInFront = false;
    if (s.current)
      for (auto &d : s.current->dests) {
        if (header && (!d.keepHeader || d.sink->control)) continue; // a control port takes the header for itself
        d.sink->fifo.push(w, now + d.latency, flags & kLast);
        if (machine_.origins.on) d.sink->fifo.sentLast() = sent;
        if (d.sink->reader) d.sink->reader->wake(now + std::max<Cycle>(d.latency, 1));
      }
    if ((flags & kLast) && !(s.current && s.current->circuit)) {
      if (s.current)
        for (auto &d : s.current->dests) d.sink->holder = nullptr;
      s.current = nullptr, s.dropping = false;
    }
    if ((flags & kEndOfBd) && s.channel) s.channel->accepted(now);
    if (s.writer) s.writer->wake(now + 1);
    moved = true;
  }
  return moved;
}

// A source and all its sinks that will move words in every cycle for a while: move a block at once. The FIFOs keep their lengths, so the
// result is that of single steps.
bool Net::burst(Cycle now) {
  constexpr int64_t kLeast = 8, kMost = 1024, kFront = 256;
  if (streams.size() != 1) return false;
  Stream &s = *streams[0];
  if (!s.channel || !s.current || s.headerInFront || s.ready > now) return false;
  const int64_t rate = machine_.rate();
  int64_t n = std::min(s.channel->steady(now), kMost);
  if (n < kLeast) return false;
  for (auto &d : s.current->dests) {
    if (!d.sink->channel) return false;
    n = std::min(n, d.sink->channel->steady(now));
  }
  n -= n % rate;
  if (n < kLeast || sinks.size() != s.current->dests.size()) return false;
  const Cycle fill = Cycle(machine_.timing.dma_mm2s_fill);
  int64_t staged = s.staging.size();
  if (!s.staging.steady(now, rate, fill) || staged > kFront) return false;
  for (auto &d : s.current->dests)
    if (!d.sink->fifo.steady(now, rate, d.latency) || d.sink->fifo.size() > kFront) return false;

  words_.resize(kFront * 2 + kMost);
  Word *staging = words_.data() + kFront;
  s.staging.copy(staging);
  s.channel->transfer(staging + staged, n, now);
  Cycle cycles = n / rate;
  while (s.staging.anyMark()) {
    Clock clock = s.staging.takeMark();
    for (auto &d : s.current->dests) d.sink->fifo.mark(clock);
  }
  for (auto &d : s.current->dests) {
    Fifo &fifo = d.sink->fifo;
    int64_t held = fifo.size();
    fifo.copy(staging - held);
    while (fifo.anyMark()) d.sink->channel->join(fifo.takeMark());
    d.sink->channel->transfer(staging - held, n, now);
    d.sink->channel->busyFor(cycles, now);
    fifo.slide(n, staging - held + n, now + cycles - 1 + d.latency, rate);
  }
  s.staging.slide(n, staging + n, now + cycles - 1 + fill, rate);
  s.channel->busyFor(cycles, now);
  s.blockedSince = -1;
  busyUntil = now + cycles;
  wake(busyUntil);
  return true;
}

} // namespace sim
