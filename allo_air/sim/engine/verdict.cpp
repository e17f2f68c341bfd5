// The end of a run: who still waits for what, deadlock, and what is left over.
#include "array.h"
#include "endless.h"

namespace sim {

static WaitInfo lockWait(const Actor &agent, Cycle since, const Lock &lock, int action, int wanted) {
  WaitInfo w;
  w.agent = agent, w.kind = "lock", w.since = since, w.col = lock.col, w.row = lock.row, w.lock = lock.id;
  w.action = action, w.value = lock.value, w.wanted = wanted;
  return w;
}

static void addPorts(WaitInfo &w, Stream *out, Sink *in) {
  if (in)
    for (Stream *s : in->sources) w.ports.push_back(s->port);
  if (out)
    for (Route &r : out->routes)
      for (auto &d : r.dests)
        if (d.sink->fifo.full() || (d.sink->holder && d.sink->holder != out)) w.ports.push_back(d.sink->port);
}

// A stream whose packet waits for another's end waits for whoever sends that one; the place is the destination that both share.
static void streamFull(WaitInfo &w, Stream &out) {
  w.kind = "stream-full";
  if (Sink *held = out.heldElsewhere()) {
    w.kind = "arbiter", w.col = held->port.col, w.row = held->port.row, w.ports.push_back(held->holder->port);
  } else {
    addPorts(w, &out, nullptr);
  }
}

static void channelWaits(Channel &c, std::vector<WaitInfo> &waits) {
  if (!c.net) return;
  if (c.waitsForLock() && c.acquireLock()) {
    int v = c.bd().acquireValue;
    waits.push_back(lockWait(c.actor(), c.stalledSince(), *c.acquireLock(), v < 0 ? 2 : 0, std::abs(v)));
    return;
  }
  if (!c.open() && !(c.direction == kMM2S && !c.idle())) return;
  WaitInfo w;
  w.agent = c.actor(), w.since = c.stalledSince(), w.col = c.tile.col, w.row = c.tile.row, w.direction = c.direction, w.channel = c.number;
  w.words = c.bdMoved(), w.wanted = int(c.bdLength());
  if (c.stream) streamFull(w, *c.stream);
  else w.kind = "stream-empty", addPorts(w, nullptr, c.sink);
  waits.push_back(std::move(w));
}

void Array::collectWaits() {
  if (controller.waiting()) {
    WaitInfo w;
    w.agent = controller.actor(), w.kind = "token", w.since = controller.waitsSince;
    std::tie(w.col, w.row, w.direction, w.channel) = controller.awaited();
    waits.push_back(w);
  }
  for (auto &[at, core] : cores) {
    if (core->waits == Core::Wait::None || core->halted) continue;
    if (core->waits == Core::Wait::Lock) {
      waits.push_back(lockWait(core->actor(), core->waitsSince, *core->waitedLock, core->waitedAction, core->waitedValue));
      continue;
    }
    WaitInfo w;
    w.agent = core->actor(), w.since = core->waitsSince, w.col = at.first, w.row = at.second, w.channel = core->waitedChannel;
    Port port{at.first, at.second, "Core", core->waitedChannel};
    switch (core->waits) {
    case Core::Wait::StreamEmpty: w.kind = "stream-empty", w.direction = kS2MM, addPorts(w, nullptr, network.sink(port)); break;
    case Core::Wait::StreamFull: w.direction = kMM2S, streamFull(w, *network.stream(port)); break;
    case Core::Wait::CascadeEmpty:
      w.kind = "cascade-empty", w.channel = -1;
      if (core->cascadeIn) w.ports.push_back({core->cascadeIn->fromCol, core->cascadeIn->fromRow, "Cascade", 0});
      break;
    default:
      w.kind = "cascade-full", w.channel = -1;
      if (core->cascadeOut) w.ports.push_back({core->cascadeOut->toCol, core->cascadeOut->toRow, "Cascade", 0});
    }
    waits.push_back(std::move(w));
  }
  for (auto &[at, t] : machine->tiles)
    for (auto &direction : t->channels)
      for (auto &c : direction) channelWaits(*c, waits);
}

void Array::judgeEnd(bool quiet) {
  Judge &judge = machine->judge;
  judge.ending = true;
  if (quiet && !controller.done()) {
    Finding f;
    f.cycle = machine->scheduler.now, f.agent = controller.actor();
    auto [col, row, direction, number] = controller.awaited();
    Channel *c = controller.channel(controller.awaited());
    f.col = col, f.row = row, f.agent.direction = direction, f.agent.channel = number;
    bool never = !c || c->idle();
    f.kind = never ? "sync-without-end" : "deadlock";
    if (!machine->tokens.arrive(col, row)) f.kind = "sync-without-end"; // named first: the wait could not end in any case
    f.detail = !machine->tokens.arrive(col, row) ? "the tokens of this tile have no route to a shim, which the design gives to others (a packet_flow from TileControl to South 0)"
               : never ? "the wait is for a token that no task will send: the channel has no task left (or its last one asked for no token)"
                     : "nothing can go on; the instruction sequence waits for the token of a task that cannot end";
    judge.report(std::move(f));
    return;
  }
  if (!quiet) {
    for (auto &[at, t] : machine->tiles)
      for (auto &c : t->channels[kS2MM])
        if (t->kind == TileKind::Shim && c->counters.words > 0 && !c->idle() && !c->sink->ofTraces())
          c->misuse("after-end", "host memory is still being written long after the end of the instruction sequence: nothing waits for this task");
    return;
  }
  const Endless endless(*this);
  network.reportLeftovers([&](const Stream &s) { return endless.sends(s); }, machine->scheduler.now);
  endless.reportStored();
  endless.reportPartial();
  for (auto &c : cascades) {
    if (c->items.empty() || (c->from && !c->from->finished && c->to && !c->to->finished)) continue;
    Finding f;
    f.kind = "unconsumed-stream-data", f.cycle = machine->scheduler.now, f.agent = c->from ? c->from->actor() : Actor();
    f.col = c->toCol, f.row = c->toRow, f.value = int64_t(c->items.size()) * 16;
    f.detail = std::to_string(c->items.size()) + " cascade words of 512 bits are left at the end";
    judge.report(std::move(f));
  }
}

} // namespace sim
