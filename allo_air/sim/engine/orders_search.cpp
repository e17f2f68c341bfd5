// All orders of a small transition system, some of a large one.
#include "orders.h"
#include <algorithm>
#include <chrono>
#include <ctime>
#include <random>
#include <set>
#include <unordered_set>

namespace orders {

// Seconds that this thread has computed: what a search finds does not depend on what else the machine does.
static double computed() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec now;
  if (!clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)) return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
#endif
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr int64_t kHanging = 500; // hangs of some orders that are enough
constexpr size_t kDeepest = 2000; // states that are kept to go on from

static void put(std::string &to, int64_t v) {
  while (v < 0 || v > 127) to += char(0x80 | (v & 0x7F)), v = int64_t(uint64_t(v) >> 7);
  to += char(v);
}

static void putData(std::string &to, const Content &c) {
  put(to, int64_t(c.size()));
  for (const Segment &g : c) put(to, g.words), put(to, int64_t(g.base)), put(to, g.start);
}

static std::string written(const Model &m, const State &s, bool all, bool data) {
  std::string k;
  for (int v : s.locks) put(k, v);
  for (int v : s.holders) put(k, v + 1);
  for (const CoreState &c : s.cores) {
    put(k, c.at), put(k, c.left);
    for (int64_t r : c.rounds) put(k, r);
    if (data) put(k, c.writes);
  }
  for (const ChannelState &c : s.channels) {
    put(k, c.phase), put(k, c.bd + 1), put(k, c.runsLeft), put(k, c.done);
    if (all) put(k, c.task + 1);
    put(k, int64_t(c.queue.size()));
    for (int t : c.queue) put(k, t);
  }
  for (const LinkState &l : s.links) {
    put(k, l.open), put(k, int64_t(l.runs.size()));
    for (const Run &r : l.runs) {
      put(k, r.packet + 1), put(k, r.first * 2 + r.last), put(k, r.words);
      if (data) putData(k, r.data);
    }
  }
  if (all) {
    put(k, s.sequence);
    for (int v : s.tokens) put(k, v);
  }
  if (data) {
    for (const Content &c : s.memory) putData(k, c);
    for (const auto &[i, c] : s.host) put(k, i), putData(k, c);
    for (const auto &[b, f] : s.fresh) put(k, b.first), put(k, b.second), put(k, f.lock + 1), put(k, f.left);
  }
  (void)m;
  return k;
}

std::string fingerprint(const Model &model, const State &state) { return written(model, state, false, false); }

uint64_t resultOf(const State &s) {
  std::string k;
  for (const auto &[i, c] : s.host) put(k, i), putData(k, c);
  return std::hash<std::string>{}(k);
}

namespace {

struct Search {
  Search(const Model &model, const Limits &limits) : m(model), limits(limits), began(computed()), steps(limits.steps) {}
  const Model &m;
  const Limits &limits;
  double began;
  int64_t steps;
  Found found;
  std::set<std::vector<std::tuple<int, int, int>>> seen;

  double seconds() const { return computed() - began; }
  bool spent() const { return steps < 0 || seconds() > limits.seconds; }

  void end(const Machine &machine, const State &s, const std::vector<std::pair<int, int>> &path, bool endless) {
    ++found.orders;
    Outcome o;
    o.hangs = !machine.over() && !endless, o.endless = endless, o.choices = path, o.result = resultOf(s), o.state = s;
    if (!o.hangs) {
      if (machine.over() && !endless) ++found.results[o.result];
      if (found.ends.size() < 4) o.waits = machine.waits(), found.ends.push_back(std::move(o));
      return;
    }
    ++found.hanging;
    o.waits = machine.waits();
    std::vector<std::tuple<int, int, int>> key;
    for (const Wait &w : o.waits) key.push_back({w.kind, w.agent, w.what});
    auto shorter = [&] { return found.hangs.size() == 1 && path.size() < found.hangs[0].choices.size(); };
    if (seen.insert(key).second && found.hangs.size() < 4) found.hangs.push_back(std::move(o));
    else if (shorter()) found.hangs[0] = std::move(o);
  }
  Found &close() {
    found.steps = limits.steps - steps, found.seconds = seconds();
    return found;
  }
  int placeOf(const State &s, int agent) const {
    if (agent == 0) return s.sequence;
    if (--agent < int(m.cores.size())) return s.cores[size_t(agent)].at;
    if ((agent -= int(m.cores.size())) < int(m.channels.size())) return s.channels[size_t(agent)].bd;
    const LinkState &l = s.links[size_t(agent - int(m.channels.size()))];
    return l.runs.empty() ? -1 : l.runs.front().packet;
  }
};

} // namespace

Found everyOrder(const Model &model, const Limits &limits) {
  Search search(model, limits);
  struct Frame {
    State state;
    std::vector<int> choices;
    size_t next;
  };
  std::vector<Frame> stack;
  std::vector<std::pair<int, int>> path;
  std::unordered_set<uint64_t> visited;
  bool complete = true;
  auto enter = [&](State state) {
    Machine machine(model, state, search.found.events, limits.data);
    int64_t budget = std::min<int64_t>(search.steps, limits.steps);
    const int64_t before = budget;
    const bool rests = machine.settle(budget, limits.lazy);
    search.steps -= before - std::max<int64_t>(budget, 0);
    if (!rests) {
      if (!machine.over()) complete = false;
      search.steps = std::max<int64_t>(search.steps, 0);
      return search.end(machine, state, path, true);
    }
    std::vector<int> choices = machine.choices();
    if (choices.empty()) return search.end(machine, state, path, false);
    ++search.found.choices;
    if (!visited.insert(std::hash<std::string>{}(written(model, state, true, limits.data))).second) {
      if (!path.empty()) path.pop_back();
      return;
    }
    ++search.found.states;
    stack.push_back({std::move(state), std::move(choices), 0});
  };
  enter(model.start(limits.data));
  while (!stack.empty()) {
    const bool enough = search.found.hanging > kHanging && search.found.orders > search.found.hanging;
    if (enough || search.spent() || search.found.states > limits.states || stack.size() > kDeepest) {
      complete = false;
      break;
    }
    Frame &top = stack.back();
    path.resize(stack.size() - 1);
    if (top.next == top.choices.size()) {
      stack.pop_back();
      continue;
    }
    const int agent = top.choices[top.next++];
    State state = top.next == top.choices.size() ? std::move(top.state) : top.state;
    path.push_back({agent, search.placeOf(state, agent)});
    Machine(model, state, search.found.events, limits.data).choose(agent);
    enter(std::move(state));
  }
  Found &found = search.close();
  found.complete = complete;
  return std::move(found);
}

Found someOrders(const Model &model, const Limits &limits) {
  Search search(model, limits);
  std::mt19937_64 random(limits.seed + 1);
  int64_t length = 64;
  for (int64_t order = 0; order < limits.orders && !search.spent(); ++order) {
    State state = model.start(limits.data);
    std::vector<double> priority(size_t(model.agents()));
    std::uniform_real_distribution<double> unit(0, 1);
    for (double &p : priority) p = unit(random);
    std::set<int64_t> changes;
    for (int64_t n = int64_t(random() % 6); n > 0; --n) changes.insert(int64_t(random() % uint64_t(length)));
    std::vector<std::pair<int, int>> path;
    for (int64_t step = 0;; ++step) {
      Machine machine(model, state, search.found.events, limits.data);
      int64_t budget = search.steps;
      const bool rests = machine.settle(budget, limits.lazy);
      search.steps = budget;
      if (!rests) {
        if (machine.over()) search.end(machine, state, path, true);
        break;
      }
      std::vector<int> choices = machine.choices();
      if (choices.empty()) {
        search.end(machine, state, path, false);
        if (order == 0) length = std::max<int64_t>(step, 8);
        break;
      }
      ++search.found.choices;
      if (step % 64 == 0 && search.spent()) break;
      const int agent = *std::max_element(choices.begin(), choices.end(), [&](int a, int b) { return priority[size_t(a)] < priority[size_t(b)]; });
      if (changes.count(step)) priority[size_t(agent)] = unit(random) * 0.1;
      path.push_back({agent, search.placeOf(state, agent)});
      machine.choose(agent);
    }
  }
  return std::move(search.close());
}

} // namespace orders
