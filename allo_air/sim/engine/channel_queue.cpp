// A channel's queue of tasks and its control register.
#include "channel.h"
#include "network.h"

namespace sim {

Channel::Progress Channel::progress() const {
  return {bdId_, state == State::Run, queue_.size(), left(), runsLeft_, counters.words, ended_, endedWords_, runs_, tasks_, counters};
}

void Channel::skip(const Progress &before, const Progress &now, int64_t times, int64_t words, int64_t runs) {
  walk_.skip(words);
  runsLeft_ -= int(runs);
  ended_ += times * (now.bds - before.bds), endedWords_ += times * (now.bdWords - before.bdWords);
  runs_ += times * (now.runs - before.runs), tasks_ += times * (now.tasks - before.tasks);
  for (auto member : {&Counters::words, &Counters::bds, &Counters::tasks, &Counters::busy, &Counters::starved, &Counters::stalled, &Counters::lockStall})
    counters.*member += times * (now.counters.*member - before.counters.*member);
  const int64_t moved = times * (now.words - before.words);
  machine.wordsMoved += moved;
  if (tile.kind == TileKind::Shim) machine.ddr.bytesMoved += 4 * moved;
}

bool Channel::pendingBd(int bd) const {
  for (const Task &t : queue_)
    if (t.bd == bd) return true;
  for (int b : unfinishedBds_)
    if ((b < 0 ? -1 - b : b) == bd) return true;
  return state != State::Idle && state != State::Dead && (bdId_ == bd || task_.bd == bd);
}

int Tile::bdUsers(int bd) const {
  int users = 0;
  for (auto &direction : channels)
    for (auto &c : direction) users += c->pendingBd(bd);
  return users;
}

void Channel::setControl(Word value, int64_t site) {
  control_ = value;
  if (value & kOutOfOrder) misuse("not-simulated", "out-of-order mode (bit 3 of the control register) is not simulated", -1, -1, site);
  if (value & kCompress) misuse("not-simulated", "compression (bit 4 of the control register) is not simulated", -1, -1, site);
  if (value & kReset) reset();
  if (direction == kMM2S && (value & kFinishOnLast)) misuse("mode", "finish-on-TLAST (bits 17:16 of the control register) is for S2MM channels", -1, -1, site);
}

void Channel::reset() {
  const Cycle now = machine.scheduler.now;
  stall(Stall::None, now);
  if (running_) {
    running_ = false;
    machine.trace.add(atPort(now), tile.col, tile.row, 1, dmaEvent(direction, number, kPortRunning), Trace::kEnd, bdId_);
  }
  claim_.settle(now);
  queue_.clear(), unfinished_.clear(), unfinishedBds_.clear();
  walk_ = Walk(), run_ = Run();
  runsLeft_ = 0, bdId_ = -1, granted_ = 0;
  headerPending_ = waited_ = firstBd_ = false;
  acquireLock_ = releaseLock_ = nullptr;
  state = State::Idle;
  if (stream) {
    stream->staging.clear();
    if (stream->current && !stream->current->circuit) // a packet that was on its way is cut off
      for (auto &d : stream->current->dests) d.sink->holder = nullptr;
    stream->current = nullptr, stream->dropping = stream->headerInFront = false, stream->blockedSince = -1;
  }
  if (sink) sink->fifo.clear();
  if (net) net->wake(now);
}

bool Channel::routed() const { return net && (direction == kMM2S ? stream != nullptr : sink != nullptr); }

void Channel::reportUnrouted() {
  misuse("no-flow", direction == kMM2S ? "the channel starts, but no flow leads out of it" : "the channel starts, but no flow leads to it");
}

void Channel::push(Task task) {
  if (!routed()) {
    // A shim's task goes nowhere and hurts nobody, unless someone waits for it (Controller::sync).
    if (tile.kind != TileKind::Shim) reportUnrouted();
    state = State::Dead;
    return;
  }
  if (control_ & kReset) {
    misuse("reset", "a task is pushed to a channel that is held in reset (bit 1 of its control register), and is lost", -1, -1, task.site);
    return;
  }
  if (queue_.size() >= kQueueDepth) {
    misuse("queue-full", "a task is pushed to a full queue and lost", int64_t(queue_.size()) + 1, kQueueDepth, task.site);
    return;
  }
  Cycle now = machine.scheduler.now, interval = Cycle(machine.timing.controller_push_interval);
  task.arrival = now;
  if (lastPushArrival_ >= 0 && tile.kind == TileKind::Shim && idle()) task.arrival = std::max(now, lastPushArrival_ + interval);
  if (!queue_.empty()) task.arrival = std::max(task.arrival, queue_.back().arrival);
  lastPushArrival_ = task.arrival;
  queue_.push_back(std::move(task));
  net->wake(queue_.back().arrival);
}

} // namespace sim
