#include "steady.h"
#include <algorithm>
#include <cstdlib>

namespace sim {

static constexpr size_t kKept = 128;        // snapshots of a loop
static constexpr int64_t kPatience = 64;    // rounds of each other core without one of the marker, before another is taken
static constexpr int64_t kRefreshes = 8;    // pauses of the memory that two periods hold at least
static constexpr double kAlike = 0.01;      // of two periods' lengths
static constexpr int64_t kMargin = 4096;    // words of a BD that are not skipped

void Steady::collect() {
  for (auto &[at, core] : array_.cores) cores_.push_back(core.get());
  for (auto &[at, tile] : array_.machine->tiles) {
    for (auto &direction : tile->channels)
      for (auto &channel : direction)
        if (channel->routed()) numbers_[channel.get()] = channels_.size(), channels_.push_back(channel.get());
    for (Lock &lock : tile->locks)
      if (lock.used || lock.value) locks_.push_back(&lock);
  }
}

Steady::History &Steady::historyOf(int64_t loop) {
  for (History &h : histories_)
    if (h.loop == loop) return h;
  return histories_.emplace_back(History{loop, {}});
}

Steady::Snapshot Steady::take() const {
  Snapshot s{array_.machine->scheduler.now + skipped_, array_.controller.instruction(), array_.controller.waiting(),
             array_.controller.counters.busy, {}, {}, {}};
  for (Core *c : cores_) s.cores.push_back({c->place.at, c->finished, c->place.rounds, c->counters});
  for (Channel *c : channels_) s.channels.push_back(c->progress());
  for (Lock *l : locks_) s.locks.push_back(l->ledger);
  return s;
}

void Steady::round(Core &core) {
  if (!marker_ || (&core != marker_ && ++others_ > kPatience * int64_t(array_.cores.size()))) marker_ = &core, histories_.clear();
  if (&core != marker_) return;
  others_ = 0;
  if (cores_.empty()) collect();
  const int64_t loop = core.place.rounds.back().loop;
  auto &seen = historyOf(loop).seen;
  seen.push_back(take());
  if (seen.size() > kKept) seen.pop_front();
  const size_t last = seen.size() - 1;
  for (size_t q = 1; 2 * q <= last; ++q) {
    Period p{seen[last - 2 * q], seen[last - q], seen[last]};
    Leap leap;
    if (!same(p, leap) || --leap.times < 1) continue;
    skip(p, leap);
    std::erase_if(histories_, [&](const History &h) { return h.loop >= loop; });
    return;
  }
}

bool Steady::same(const Period &p, Leap &leap) const {
  const Cycle lately = p.now.at - p.before.at, earlier = p.before.at - p.first.at;
  if (double(std::abs(lately - earlier)) > kAlike * double(lately)) return false;
  // Pauses while the memory is refreshed come between, and must be there in their share.
  if (p.now.at - p.first.at < kRefreshes * Cycle(array_.machine->timing.ddr_refresh_interval)) return false;
  return p.before.locks == p.now.locks && coresAgree(p, leap) && channelsAgree(p, leap) && netsAgree(p, leap) && instructionsAgree(p, leap);
}

// All are at the same step, and one loop at most has gone round, as often in both periods.
bool Steady::coresAgree(const Period &p, Leap &leap) const {
  for (size_t i = 0; i < cores_.size(); ++i) {
    const CorePlace &a = p.first.cores[i], &b = p.before.cores[i], &c = p.now.cores[i];
    if (a.at != c.at || b.at != c.at || a.finished != c.finished || b.finished != c.finished) return false;
    if (a.rounds.size() != c.rounds.size() || b.rounds.size() != c.rounds.size()) return false;
    std::pair<int, int64_t> went{-1, 0};
    for (size_t d = 0; d < c.rounds.size(); ++d) {
      if (a.rounds[d].loop != c.rounds[d].loop || b.rounds[d].loop != c.rounds[d].loop) return false;
      const int64_t done = c.rounds[d].done - b.rounds[d].done;
      if (done != b.rounds[d].done - a.rounds[d].done || done < 0) return false;
      if (done == 0) continue;
      if (went.first >= 0) return false;
      went = {int(d), done};
      const int64_t rounds = cores_[i]->script[size_t(c.rounds[d].loop)].a;
      if (rounds >= 0) leap.most((rounds - 1 - c.rounds[d].done) / done);
    }
    leap.rounds.push_back(went);
  }
  return true;
}

bool Steady::channelsAgree(const Period &p, Leap &leap) const {
  leap.words.assign(channels_.size(), 0), leap.runs.assign(channels_.size(), 0);
  for (size_t i = 0; i < channels_.size(); ++i) {
    const Channel::Progress &a = p.first.channels[i], &b = p.before.channels[i], &c = p.now.channels[i];
    const int64_t words = c.words - b.words, bds = c.bds - b.bds, runs = c.runs - b.runs, tasks = c.tasks - b.tasks;
    if (b.bds - a.bds != bds || b.runs - a.runs != runs || b.tasks - a.tasks != tasks) return false;
    if (std::abs(b.words - a.words - words) > std::max<int64_t>(64, words / 50)) return false;
    if (b.queued != c.queued) return false;
    if (tasks > 0) { // the same as before is there to be done
      if (b.runsLeft != c.runsLeft) return false;
    } else if (bds > 0) {
      if (b.bd != c.bd) return false;
      if (runs > 0) leap.runs[i] = runs, leap.most(c.runsLeft / runs);
    } else if (words > 0) {
      if (!b.open || !c.open) return false;
      leap.words[i] = words;
    }
  }
  return true;
}

// Both ends of a stream move as many words: as many as the BDs have that end in a period, where any do.
bool Steady::netsAgree(const Period &p, Leap &leap) const {
  for (auto &net : array_.network.nets()) {
    int64_t exact = -1;
    bool within = false;
    std::vector<size_t> ends;
    auto add = [&](const Channel *c) {
      if (c) ends.push_back(numbers_.at(c));
    };
    for (Stream *s : net->streams) add(s->channel);
    for (Sink *s : net->sinks) add(s->channel);
    for (size_t i : ends) {
      const Channel::Progress &b = p.before.channels[i], &c = p.now.channels[i];
      within |= leap.words[i] > 0;
      if (c.bds == b.bds) continue;
      if (exact >= 0 && exact != c.bdWords - b.bdWords && net->streams.size() == 1) return false;
      exact = c.bdWords - b.bdWords;
    }
    if (!within) continue;
    if (net->streams.size() != 1) return false;
    if (exact < 0) exact = leap.words[ends.front()];
    for (size_t i : ends)
      if (p.now.channels[i].bds == p.before.channels[i].bds) {
        leap.words[i] = exact;
        if (exact > 0) leap.most((p.now.channels[i].left - kMargin) / exact);
      }
  }
  return true;
}

// The base address of a BD is in its second and third word; time does not depend on it. Its number is in addresses and values: tasks
// that wait while a leap is taken must be those that the instructions behind it find.
static bool alike(const Instruction &a, const Instruction &b) {
  if (a.address != b.address || a.value != b.value || a.mask != b.mask) return false;
  if (a.op != b.op || a.columns != b.columns || a.rows != b.rows || a.direction != b.direction || a.channel != b.channel) return false;
  if (a.col != b.col || a.row != b.row || a.data.size() != b.data.size()) return false;
  for (size_t i = 0; i < a.data.size(); ++i)
    if (i != 1 && i != 2 && a.data[i] != b.data[i]) return false;
  return true;
}

bool Steady::instructionsAgree(const Period &p, Leap &leap) const {
  const size_t done = p.now.instruction - p.before.instruction;
  if (p.before.instruction - p.first.instruction != done || p.before.waiting != p.now.waiting) return false;
  leap.instructions = int64_t(done);
  if (done == 0) return true;
  auto &program = array_.controller.program;
  size_t at = p.now.instruction;
  while (at < program.size() && alike(program[at], program[at - done])) ++at;
  leap.most(int64_t((at - p.now.instruction) / done));
  return true;
}

void Steady::skipCore(Core &core, const CorePlace &before, const CorePlace &now, std::pair<int, int64_t> rounds, int64_t times) {
  if (rounds.first >= 0) core.place.rounds[size_t(rounds.first)].done += times * rounds.second;
  auto add = [&](auto member) { core.counters.*member += times * (now.counters.*member - before.counters.*member); };
  for (auto member : {&CoreCounters::busy, &CoreCounters::call, &CoreCounters::lockStall, &CoreCounters::streamStall,
                      &CoreCounters::cascadeStall, &CoreCounters::macs, &CoreCounters::vector})
    add(member);
  for (auto &[region, done] : now.counters.regions) {
    auto it = before.counters.regions.find(region);
    auto first = it == before.counters.regions.end() ? std::pair<int64_t, int64_t>() : it->second;
    auto &sum = core.counters.regions[region];
    sum.first += times * (done.first - first.first), sum.second += times * (done.second - first.second);
  }
}

void Steady::skip(const Period &p, const Leap &leap) {
  const int64_t n = leap.times;
  for (size_t i = 0; i < cores_.size(); ++i) skipCore(*cores_[i], p.before.cores[i], p.now.cores[i], leap.rounds[i], n);
  for (size_t i = 0; i < channels_.size(); ++i)
    channels_[i]->skip(p.before.channels[i], p.now.channels[i], n, n * leap.words[i], n * leap.runs[i]);
  array_.controller.skip(n * leap.instructions, double(n) * (p.now.busy - p.before.busy));
  skipped_ += n * (p.now.at - p.first.at) / 2;
}

} // namespace sim
