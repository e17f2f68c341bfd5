#include "core.h"
#include "register_map.h"
#include <algorithm>
#include <utility>

namespace sim {

thread_local Core *currentCore = nullptr;
static constexpr size_t kLeastStack = 1 << 20; // mapped, and not used up before it is touched

Core::Core(Machine &m, Network &n, Tile &t, Entry entry, void **args, size_t stackBytes, const std::vector<Region> &regions,
           const std::map<int, Kernel> &kernels)
    : machine(m), tile(t), network_(n), entry_(entry), args_(args), regions_(regions), kernels_(kernels),
      fibre_(std::max<size_t>(stackBytes, kLeastStack)) {
  scheduler = &m.scheduler;
}

void Core::start(void *self) {
  Core *core = static_cast<Core *>(self);
  core->entry_(core->args_);
  core->synchronize();
  core->spend();
  core->finished = true;
  for (;;) core->suspend();
}

void Core::step(Cycle) {
  if (finished || dead || halted) return;
  if (requested_) { // a kernel in Python runs here, on the main stack
    const Kernel *kernel = std::exchange(requested_, nullptr);
    int64_t cycles = (*kernel)(tile.col, tile.row, requestedArgs_);
    debt_ += cycles, counters.busy += cycles;
  }
  if (!started_) {
    started_ = true;
    fibre_.begin(&Core::start, this);
  }
  currentCore = this;
  fibre_.enter();
  currentCore = nullptr;
  counters.last = now();
}

static CoreEvent eventOf(Core::Wait why) {
  switch (why) {
  case Core::Wait::Lock: return kLockStall;
  case Core::Wait::CascadeEmpty:
  case Core::Wait::CascadeFull: return kCascadeStall;
  default: return kStreamStall;
  }
}

void Core::control(Word value, const Clock &clock) {
  control_ = value;
  halted = (value & (kCoreReset | kCoreEnable)) != kCoreEnable;
  if (value & kCoreReset) {
    if (waits != Wait::None) machine.trace.tell(now(), tile.col, tile.row, 0, eventOf(waits), Trace::kEnd);
    started_ = finished = dead = false;
    waits = Wait::None, debt_ = 0, requested_ = nullptr, lastRegion_ = -1;
  }
  if (halted) return;
  join(clock);
  wake(now());
}

Word Core::status() const { return (control_ & 3) | Word(waits == Wait::Lock) << 9 | Word(finished) << 20; }

void Core::stop() {
  dead = true;
  for (;;) suspend();
}

void Core::spend() {
  Cycle until = now() + debt_;
  debt_ = 0;
  while (now() < until) {
    wake(until);
    suspend();
  }
}

void Core::tellWait() {
  if (waits != Wait::None) machine.trace.tell(now(), tile.col, tile.row, 0, eventOf(waits), Trace::kBegin);
}

void Core::await(Wait why) {
  waits = why, waitsSince = now();
  tellWait();
}

void Core::awaited(int64_t &counter, CoreEvent event) {
  machine.trace.tell(now(), tile.col, tile.row, 0, event, Trace::kEnd);
  if (now() > waitsSince) {
    counter += now() - waitsSince;
    machine.trace.keep(waitsSince, tile.col, tile.row, 0, event, Trace::kBegin, -1);
    machine.trace.keep(now(), tile.col, tile.row, 0, event, Trace::kEnd, -1);
  }
  waits = Wait::None;
}

void Core::fail(const char *kind, const std::string &detail, int64_t value, int64_t wanted, const char *cause) {
  Finding f;
  f.kind = kind, f.cycle = now() + debt_, f.agent = actor(), f.col = tile.col, f.row = tile.row;
  f.value = value, f.wanted = wanted, f.detail = detail, f.cause = cause;
  machine.judge.report(std::move(f));
}

// Where other agents come in: all that was checked before is done.
void Core::synchronize() {
  machine.judge.settle(static_cast<Party *>(this));
  writesLate = false;
}

void Core::useLock(int handle, int action, int value) {
  synchronize();
  const Timing &t = machine.timing;
  Tile *owner = machine.tile(handle >> 16, (handle >> 8) & 255);
  if (!owner || (handle & 255) >= int(owner->locks.size())) {
    fail("channel-misuse", "the core uses a lock that does not exist", -1, -1, "lock-missing");
    stop();
  }
  Lock &lock = owner->locks[handle & 255];
  bool release = action == 1;
  if (release || action != 2 || value) meets(release ? 2 : action == 2 ? 0 : 1, handle, value);
  debt_ += Cycle(t.core_lock_issue);
  spend();
  machine.trace.add(now(), tile.col, tile.row, 0, release ? kLockRelease : kLockAcquire, Trace::kInstant, lock.id);
  if (release) {
    counters.call += Cycle(t.core_lock_issue + t.core_lock_return);
    debt_ += Cycle(t.dma_lock_release);
    spend();
    lock.release(value, publish(), actor(), machine.judge, now());
    lock.ledger += value;
    debt_ += Cycle(t.core_lock_return - t.dma_lock_release);
    return;
  }
  counters.call += Cycle(t.core_lock_issue + t.core_lock_request + t.core_lock_resume);
  debt_ += Cycle(t.core_lock_request);
  spend();
  if (action == 2 && value == 0) { // at least 0: a lock always is; as a register's value, -0, it would mean exactly 0
    debt_ += Cycle(t.dma_lock_acquire);
    return spend();
  }
  await(Wait::Lock);
  waitedLock = &lock, waitedAction = action, waitedValue = value;
  bool waited = false;
  while (!lock.acquire(action == 2 ? -value : value, *this, actor(), this)) waited = true, suspend();
  lock.ledger -= value;
  waits = Wait::None;
  debt_ += Cycle(waited ? t.core_lock_wake : t.dma_lock_acquire); // the core stalls while its request is arbitrated
  spend();
  awaited(counters.lockStall, kLockStall);
  debt_ += Cycle(t.core_lock_resume);
}

void Core::work(int region, int64_t times, int64_t cycles) {
  int64_t total = times * cycles;
  if (region != lastRegion_) lastRegion_ = region, regionCounter_ = &counters.regions[region];
  regionCounter_->first += times, regionCounter_->second += total;
  counters.busy += total;
  if (region >= 0 && region < int(regions_.size())) {
    int64_t vector = times * regions_[region].vectorCycles;
    counters.macs += times * regions_[region].macs, counters.vector += vector;
    if (vector) {
      machine.trace.add(now() + debt_, tile.col, tile.row, 0, kVector, Trace::kBegin, region);
      machine.trace.add(now() + debt_ + total, tile.col, tile.row, 0, kVector, Trace::kEnd, region);
    }
  }
  debt_ += total;
  if (debt_ > 1 << 20) spend(); // a program without an end must meet the limit of cycles
}

Memory *Machine::memoryOf(const void *p) const {
  auto after = std::upper_bound(memories.begin(), memories.end(), p, [](const void *q, Memory *m) { return q < m->data(); });
  return after != memories.begin() && (*--after)->holds(p) ? *after : nullptr;
}

void Core::touch(void *p, int64_t bytes, bool write) {
  if (!touched_ || !touched_->holds(p)) {
    Memory *owner = machine.memoryOf(p);
    if (!owner) return; // the core's stack and constants
    touched_ = owner;
  }
  int64_t offset = static_cast<uint8_t *>(p) - touched_->data();
  bool inside = write ? touched_->writeBytes(*this, offset, bytes, now() + debt_) : touched_->readBytes(*this, offset, bytes, now() + debt_);
  if (write && inside && machine.origins.on) Origins::write(touched_->origins, offset, bytes, Origins::store(*this, now() + debt_));
  bool given = machine.judge.strict && machine.judge.fault && !machine.judge.hasUnsettled();
  if (!inside || given) stop(); // the program must not touch it
}

void Core::outOfBounds(int64_t index, int64_t size) {
  fail("out-of-buffer", "index " + std::to_string(index) + " of a dimension of size " + std::to_string(size), index, size);
  stop();
}

void Core::get(int channel, Word *to, int words) {
  synchronize();
  Sink *sink = network_.sink({tile.col, tile.row, "Core", channel});
  if (!sink) {
    fail("channel-misuse", "the core reads stream " + std::to_string(channel) + ", but no flow leads to it", channel, -1, "core-stream-in");
    stop();
  }
  meets(3, channel, words);
  spend();
  for (int i = 0; i < words; ++i) {
    if (!sink->fifo.takeable(now() + debt_)) {
      spend();
      await(Wait::StreamEmpty);
      waitedChannel = channel, sink->reader = this;
      while (!sink->fifo.takeable(now())) {
        if (sink->fifo.size()) wake(sink->fifo.frontReady());
        suspend();
      }
      sink->reader = nullptr;
      awaited(counters.streamStall, kStreamStall);
    }
    while (sink->fifo.marked()) join(sink->fifo.takeMark());
    to[i] = sink->fifo.pop();
    machine.trace.tell(now() + debt_, tile.col, tile.row, 0, kStreamGet, Trace::kInstant);
    debt_ += Cycle(machine.timing.core_stream_call);
    counters.call += Cycle(machine.timing.core_stream_call);
    sink->net->wake(now() + 1);
  }
}

void Core::put(int channel, const Word *from, int words, bool packet, Word header) {
  synchronize();
  Stream *stream = network_.stream({tile.col, tile.row, "Core", channel});
  if (!stream) {
    fail("channel-misuse", "the core writes stream " + std::to_string(channel) + ", but no flow leads out of it", channel, -1, "core-stream-out");
    stop();
  }
  meets(4, channel, words);
  spend();
  for (int i = packet ? -1 : 0; i < words; ++i) {
    if (stream->staging.full()) {
      spend();
      await(Wait::StreamFull);
      waitedChannel = channel, stream->writer = this;
      while (stream->staging.full()) suspend();
      stream->writer = nullptr;
      awaited(counters.streamStall, kStreamStall);
    }
    machine.trace.tell(now() + debt_, tile.col, tile.row, 0, kStreamPut, Trace::kInstant);
    stream->staging.mark(publish());
    stream->staging.push(i < 0 ? header : from[i], now() + debt_ + 1, packet && i + 1 == words ? kLast : 0);
    if (machine.origins.on) stream->staging.sentLast() = {index, site, -1, {}, 0};
    debt_ += Cycle(machine.timing.core_stream_call);
    counters.call += Cycle(machine.timing.core_stream_call);
    stream->net->wake(now() + debt_);
  }
}

void Core::cascadeGet(void *to) {
  synchronize();
  if (!cascadeIn) {
    fail("channel-misuse", "the core reads its cascade, but no cascade flow leads to it", -1, -1, "core-cascade");
    stop();
  }
  meets(3, -1, 1);
  spend();
  await(Wait::CascadeEmpty);
  while (cascadeIn->items.empty() || cascadeIn->items.front().ready > now()) {
    if (!cascadeIn->items.empty()) wake(cascadeIn->items.front().ready);
    suspend();
  }
  awaited(counters.cascadeStall, kCascadeStall);
  machine.trace.tell(now(), tile.col, tile.row, 0, kCascadeGet, Trace::kInstant);
  std::memcpy(to, cascadeIn->items.front().data.data(), 64);
  join(cascadeIn->items.front().clock);
  cascadeIn->items.pop_front();
  if (cascadeIn->from && cascadeIn->from->waits == Wait::CascadeFull) cascadeIn->from->wake(now() + 1);
  debt_ += 1, counters.call += 1;
}

void Core::cascadePut(const void *from) {
  synchronize();
  if (!cascadeOut) {
    fail("channel-misuse", "the core writes its cascade, but no cascade flow leads out of it", -1, -1, "core-cascade");
    stop();
  }
  meets(4, -1, 1);
  spend();
  await(Wait::CascadeFull);
  while (cascadeOut->items.size() >= size_t(machine.timing.cascade_depth)) suspend();
  awaited(counters.cascadeStall, kCascadeStall);
  machine.trace.tell(now(), tile.col, tile.row, 0, kCascadePut, Trace::kInstant);
  auto &item = cascadeOut->items.emplace_back();
  std::memcpy(item.data.data(), from, 64);
  item.ready = now() + Cycle(machine.timing.cascade_latency);
  item.clock = publish();
  if (cascadeOut->to && cascadeOut->to->waits == Wait::CascadeEmpty) cascadeOut->to->wake(item.ready);
  debt_ += 1, counters.call += 1;
}

void Core::event(int id) {
  machine.trace.add(now() + debt_, tile.col, tile.row, 0, id ? kEvent1 : kEvent0, Trace::kInstant, id);
}

void Core::kernel(int index, void **args, int n) {
  synchronize();
  auto it = kernels_.find(index);
  if (it == kernels_.end()) {
    fail("channel-misuse", "the core calls a kernel that was not given", -1, -1, "kernel");
    stop();
  }
  spend();
  requestedArgs_.assign(reinterpret_cast<uint64_t *>(args), reinterpret_cast<uint64_t *>(args) + n);
  requested_ = &it->second;
  wake(now() + 1);
  suspend();
  writesLate = true; // what the kernel has written is checked after it
}

} // namespace sim
