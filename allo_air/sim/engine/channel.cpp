#include "channel.h"
#include "network.h"
#include <cmath>

namespace sim {

Channel::Channel(Machine &m, Tile &t, Direction d, int n) : machine(m), tile(t), direction(d), number(n) {
  completions_.channel = this;
  completions_.scheduler = &m.scheduler;
}

void Channel::misuse(const char *cause, const std::string &detail, int64_t value, int64_t wanted, int64_t site) {
  Finding f;
  f.kind = "channel-misuse", f.cycle = machine.scheduler.now, f.agent = actor(), f.col = tile.col, f.row = tile.row;
  f.value = value, f.wanted = wanted, f.detail = detail, f.cause = cause, f.agent.site = site;
  machine.judge.report(std::move(f));
}

void Channel::stall(Stall why, Cycle now) {
  if (why == stall_) return;
  if (stall_ != Stall::None) {
    Cycle lasted = now - stalledSince_;
    if (stall_ == Stall::Lock) counters.lockStall += lasted;
    else if ((stall_ == Stall::Stream) == (direction == kS2MM)) counters.starved += lasted;
    else counters.stalled += lasted;
    machine.trace.add(now, tile.col, tile.row, 1, dmaEvent(direction, number, stall_ == Stall::Lock ? kStalledLock : kStarvation),
                      Trace::kEnd, bdId_);
  }
  if (why != Stall::None)
    machine.trace.add(now, tile.col, tile.row, 1, dmaEvent(direction, number, why == Stall::Lock ? kStalledLock : kStarvation), Trace::kBegin,
                      bdId_);
  stall_ = why, stalledSince_ = now;
  if (why != Stall::None && running_) {
    running_ = false;
    machine.trace.add(atPort(now), tile.col, tile.row, 1, dmaEvent(direction, number, kPortRunning), Trace::kEnd, bdId_);
  }
}

void Channel::tellState() {
  auto tell = [&](DmaEvent e) { machine.trace.tell(machine.scheduler.now, tile.col, tile.row, 1, dmaEvent(direction, number, e), Trace::kBegin); };
  if (stall_ != Stall::None) tell(stall_ == Stall::Lock ? kStalledLock : kStarvation);
  if (running_) tell(kPortRunning);
}

bool Channel::prepare(Cycle now, Cycle &wants) {
  const Timing &t = machine.timing;
  for (;;) switch (state) {
    case State::Dead: return false;
    case State::Idle:
      if (queue_.empty()) return false;
      if (queue_.front().arrival > now) {
        wants = queue_.front().arrival;
        return false;
      }
      task_ = std::move(queue_.front());
      queue_.pop_front();
      join(task_.clock);
      if (tile.kind == TileKind::Shim && direction == kMM2S) task_.cold = t.shim_mm2s_cold * std::pow(t.shim_mm2s_decay, taskCount_);
      ++taskCount_, ++tasks_;
      unfinished_.push_back(task_);
      runsLeft_ = task_.repeat;
      bdId_ = task_.bd;
      firstBd_ = true;
      machine.trace.add(now, tile.col, tile.row, 1, dmaEvent(direction, number, kStartTask), Trace::kInstant, bdId_);
      // A task that was queued in time is loaded while the one before it ends.
      if (now > lastMove_ + 1 + Cycle(t.dma_bd_gap_mm2s)) ready_ = std::max(ready_, task_.arrival + Cycle(t.dma_channel_start + t.dma_bd_setup));
      state = State::Load;
      [[fallthrough]];
    case State::Load:
      if (ready_ > now) {
        wants = ready_;
        return false;
      }
      if (!load(now)) {
        state = State::Dead;
        return false;
      }
      waited_ = false;
      state = State::Acquire;
      [[fallthrough]];
    case State::Acquire:
      if (acquireLock_) {
        site = bdId_;
        if (!acquireLock_->acquire(bd_.acquireValue, *this, actor(), net)) {
          waited_ = true;
          stall(Stall::Lock, now);
          return false;
        }
        if (waited_) ready_ = now + Cycle(t.dma_lock_acquire);
      }
      begin(now);
      state = State::Run;
      [[fallthrough]];
    case State::Run:
      if (ready_ <= now) return true;
      wants = ready_;
      return false;
    }
}

void Channel::begin(Cycle now) {
  stall(Stall::None, now);
  headerPending_ = direction == kMM2S && bd_.packet;
  if (direction == kMM2S) stream->staging.mark(publish());
  if (tile.kind != TileKind::Shim) return;
  const Timing &t = machine.timing;
  // A task is read ahead while the last BD of the one before it moves; the BDs of one task follow each other without a gap
  // (simulator-semantics.md 12, 28).
  Cycle asked = std::max(task_.arrival, lastBdStart_);
  lastBdStart_ = now;
  refreshes_ = machine.ddr.refreshes(double(now));
  ddrShare_ = machine.ddr.share(walk_.contiguous(), bd_.cached);
  granted_ = std::min(int64_t(t.ddr_grant_words), bd_.length);
  grantAt_ = machine.ddr.reserve(double(now), granted_, ddrShare_, direction == kMM2S, tile.portFree[direction]);
  reserveAhead(now);
  if (direction == kMM2S && firstBd_) {
    double overhead = t.shim_mm2s_overhead + (1 - t.shim_mm2s_cold_late) * task_.cold;
    grantAt_ = std::max(grantAt_, double(asked) + machine.ddr.latency(overhead));
  }
  firstBd_ = false;
}

// The next words from or to DDR: not faster than the shim moves them, and as the shared bus allows.
void Channel::nextGrant(Cycle now) {
  const Timing &t = machine.timing;
  double perWord = direction == kMM2S ? t.shim_mm2s_cycles_per_word : t.shim_s2mm_cycles_per_word;
  double soonest = grantAt_ + perWord * t.ddr_grant_words;
  if (direction == kMM2S) { // reads wait while the memory is refreshed; writes are buffered
    int64_t refreshes = machine.ddr.refreshes(soonest);
    soonest += t.ddr_refresh * double(std::max<int64_t>(refreshes - refreshes_, 0));
    refreshes_ = std::max(refreshes_, refreshes);
  }
  granted_ = std::min(int64_t(t.ddr_grant_words), left());
  grantAt_ = std::max(soonest, ahead_);
  reserveAhead(now);
}

// The block after the granted one is asked for while that moves.
void Channel::reserveAhead(Cycle now) {
  int64_t words = std::min(int64_t(machine.timing.ddr_grant_words), left() - granted_);
  if (words > 0) ahead_ = machine.ddr.reserve(double(now), words, ddrShare_, direction == kMM2S, tile.portFree[direction]);
}

int64_t Channel::steady(Cycle now) const {
  if (state != State::Run || ready_ > now || headerPending_) return 0;
  int64_t n = left() - machine.rate();
  if (tile.kind == TileKind::Shim) n = std::min(n, double(now) >= grantAt_ ? granted_ : 0);
  return n;
}

bool Channel::fetchRun(Cycle now) {
  run_ = walk_.next(walk_.left());
  runInside_ = true;
  if (run_.zeros) return true;
  if (memory_) {
    memoryBase_ = memory_->data();
    runInside_ = memory_->check(*this, run_.at, run_.count, run_.step, direction == kS2MM ? "write" : "read", now);
  } else {
    runInside_ = hostAt(run_.at, run_.count, run_.step, now) != nullptr;
  }
  return runInside_;
}

void Channel::claim() {
  fresh_ = false;
  if (memory_ && !machine.origins.on && !(control_ & kFinishOnLast)) claim_.take(*memory_, walk_);
}

void Channel::transfer(Word *words, int64_t n, Cycle now) {
  machine.wordsMoved += n, counters.words += n;
  if (tile.kind == TileKind::Shim) granted_ -= n;
  site = bdId_;
  if (machine.timingOnly) return walk_.skip(n);
  if (fresh_) claim();
  if (claim_.held()) {
    claim_.moved(n);
    Word *memory = reinterpret_cast<Word *>(memory_->data());
    return direction == kMM2S ? walk_.load(memory, words, n) : walk_.store(memory, words, n);
  }
  while (n > 0) {
    if (run_.count == 0) fetchRun(now);
    int64_t m = std::min(n, run_.count);
    Word *memory = reinterpret_cast<Word *>(memoryBase_) + run_.at;
    if (machine.origins.on) recordOrigin(now);
    if (run_.zeros || !runInside_) {
      if (direction == kMM2S) std::fill_n(words, m, run_.zeros ? padValue : 0);
    } else {
      if (!memory_ && direction == kMM2S) host_->read = true;
      else if (!memory_) host_->wrote(run_.at - hostFirst_, m, run_.step, actor());
      if (memory_) direction == kMM2S ? memory_->read(*this, run_.at, m, run_.step, now) : memory_->write(*this, run_.at, m, run_.step, now);
      if (direction == kMM2S && run_.step == 1) std::memcpy(words, memory, size_t(m) * 4);
      else if (direction == kMM2S)
        for (int64_t i = 0; i < m; ++i) words[i] = memory[i * run_.step];
      else if (run_.step == 1) std::memcpy(memory, words, size_t(m) * 4);
      else
        for (int64_t i = 0; i < m; ++i) memory[i * run_.step] = words[i];
      if (machine.judge.hasUnsettled()) machine.judge.settle(static_cast<Party *>(this));
    }
    run_.at += m * run_.step, run_.count -= m, words += m, n -= m;
  }
}

void Channel::recordOrigin(Cycle now) {
  Origins &origins = machine.origins;
  if (direction == kMM2S) sent_ = {index, bdId_, task_.site, {Place::Padding}, 0};
  if (run_.zeros || !runInside_) return;
  Place place{Place::Tile};
  Bytes *bytes;
  if (memory_) {
    bytes = &memory_->origins;
    place.col = memory_->col(), place.row = memory_->row(), place.offset = run_.at * 4;
  } else {
    int argument = Ddr::argumentOf(run_.at * 4);
    bytes = &machine.ddr.buffers[argument].origins;
    place = {Place::Host, -1, -1, argument, run_.at * 4 - Ddr::base(argument)};
  }
  if (direction == kMM2S) sent_.from = place, sent_.origin = origins.word(*bytes, place.offset);
  else Origins::write(*bytes, place.offset, 4, origins.move(sent_, *this, task_.site, now));
}

void Channel::busyFor(Cycle cycles, Cycle now) {
  stall(Stall::None, now);
  if (!running_) {
    running_ = true;
    machine.trace.add(atPort(now), tile.col, tile.row, 1, dmaEvent(direction, number, kPortRunning), Trace::kBegin, bdId_);
  }
  counters.busy += cycles;
  if (counters.first < 0) counters.first = now;
  counters.last = now + cycles - 1;
  lastMove_ = now + cycles - 1;
}

int64_t Channel::movable(Cycle now, Cycle &wants) {
  Cycle later = kNever;
  if (!prepare(now, later)) {
    wants = std::min(wants, later);
    return 0;
  }
  if (tile.kind != TileKind::Shim) return left();
  if (granted_ == 0) nextGrant(now);
  if (grantAt_ <= double(now)) return granted_;
  stall(Stall::Ddr, now);
  wants = std::min(wants, Cycle(std::ceil(grantAt_)));
  return 0;
}

void Channel::moved(int64_t words, Cycle cycles, Cycle now) {
  transfer(nullptr, words, now);
  busyFor(cycles, now);
  if (left() > 0) return;
  const Cycle last = now + cycles - 1;
  endBd(last);
  if (direction == kMM2S) accepted(last + Cycle(machine.timing.dma_mm2s_fill));
}

// Finish-on-TLAST: the BD is done with the word that carries it. What follows a BD that is full before is not documented.
bool Channel::endsAtLast(uint8_t flags) {
  if (flags & kLast) return true;
  if (left() == 0) misuse("full-before-last", "in finish-on-TLAST mode the BD is full before TLAST comes; what the hardware does then is not documented", bd_.length);
  return false;
}

bool Channel::step(Cycle now, Cycle &wants) {
  bool moved = false;
  const int64_t rate = machine.rate();
  for (int64_t i = 0; i < rate; ++i) {
    if (!prepare(now, wants)) break;
    if (tile.kind == TileKind::Shim) {
      if (granted_ == 0) nextGrant(now);
      if (grantAt_ > double(now)) {
        if (!moved) stall(Stall::Ddr, now);
        wants = std::min(wants, Cycle(std::ceil(grantAt_)));
        break;
      }
    }
    if (direction == kS2MM) {
      if (!sink->fifo.takeable(now)) {
        if (!moved) stall(Stall::Stream, now);
        wants = std::min(wants, sink->fifo.frontReady());
        break;
      }
      while (sink->fifo.marked()) join(sink->fifo.takeMark());
      uint8_t flags = sink->fifo.frontFlags();
      if (machine.origins.on) sent_ = sink->fifo.sentFront();
      if (flags & kLast) machine.trace.tell(now, tile.col, tile.row, 1, dmaEvent(direction, number, kTlastSent), Trace::kInstant);
      Word w = sink->fifo.pop();
      transfer(&w, 1, now);
      if ((control_ & kFinishOnLast) && endsAtLast(flags)) claim_.settle(now), walk_ = Walk(), run_ = Run();
    } else {
      if (stream->staging.full()) {
        if (!moved) stall(Stall::Stream, now);
        break;
      }
      Cycle visible = now + Cycle(machine.timing.dma_mm2s_fill);
      Word w;
      if (headerPending_) {
        w = Word(bd_.packetType) << 12 | Word(bd_.packetId) | Word(tile.row) << 16 | Word(tile.col) << 21;
        w |= Word(~__builtin_popcount(w) & 1) << 31; // odd parity
        headerPending_ = false;
        stream->staging.push(w, visible, 0);
      } else {
        transfer(&w, 1, now);
        bool end = left() == 0;
        if (end) claim_.settle(now), stream->staging.mark(publish()); // who has the last word knows that all was read
        stream->staging.push(w, visible, end ? kEndOfBd | (bd_.suppressTlast ? 0 : kLast) : 0);
        if (machine.origins.on) stream->staging.sentLast() = sent_;
      }
    }
    if (!moved) busyFor(1, now);
    moved = true;
    if (left() == 0) {
      endBd(now);
      if (ready_ > now) {
        wants = std::min(wants, ready_);
        return true;
      }
    }
  }
  return moved;
}

} // namespace sim
