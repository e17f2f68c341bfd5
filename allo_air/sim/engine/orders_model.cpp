// What a transition system is like apart from its state: who shares what; and a state's choices and waits.
#include "orders.h"
#include <algorithm>

namespace orders {

static void add(std::vector<int> &to, int agent) {
  if (std::find(to.begin(), to.end(), agent) == to.end()) to.push_back(agent);
}

void Model::prepare() {
  lockUsers.assign(inits.size(), {}), takers.assign(inits.size(), {}), arbiterUsers.assign(size_t(arbiters), {}), feeders.assign(links.size(), {});
  contended.assign(inits.size(), false), exact.assign(inits.size(), false), disputed.assign(size_t(arbiters), false);
  for (size_t i = 0; i < cores.size(); ++i)
    for (const Step &x : cores[i]) {
      if (x.op == Step::Acquire || x.op == Step::AcquireEqual) add(takers[size_t(x.a)], coreAgent(int(i)));
      if (x.op == Step::AcquireEqual) exact[size_t(x.a)] = true;
      if (x.op == Step::Put) add(feeders[size_t(x.a)], coreAgent(int(i)));
      if (x.op == Step::Get) links[size_t(x.a)].reader = coreAgent(int(i));
    }
  for (size_t i = 0; i < channels.size(); ++i) {
    const Channel &c = channels[i];
    const int agent = channelAgent(int(i));
    if (c.link >= 0 && c.sends) add(feeders[size_t(c.link)], agent);
    if (c.link >= 0 && !c.sends) links[size_t(c.link)].reader = agent;
    std::vector<int> begins = c.starts;
    for (const Order &o : sequence)
      if (o.kind == Order::Push && o.a == int(i)) begins.push_back(o.b);
    std::vector<char> seen(bds.size(), 0);
    for (int t : begins)
      for (int b = tasks[size_t(t)].bd; b >= 0 && !seen[size_t(b)]; b = bds[size_t(b)].next) {
        seen[size_t(b)] = 1;
        if (bds[size_t(b)].acquire >= 0) {
          add(takers[size_t(bds[size_t(b)].acquire)], agent);
          if (bds[size_t(b)].equal) exact[size_t(bds[size_t(b)].acquire)] = true;
        }
      }
  }
  lockUsers = takers;
  for (size_t i = 0; i < cores.size(); ++i)
    for (const Step &x : cores[i])
      if (x.op == Step::Release && exact[size_t(x.a)]) add(takers[size_t(x.a)], coreAgent(int(i)));
  for (size_t i = 0; i < inits.size(); ++i) contended[i] = takers[i].size() > 1 || exact[i];
  for (const Order &o : sequence)
    if (o.kind == Order::SetLock) contended[size_t(o.a)] = true;
  for (size_t i = 0; i < links.size(); ++i)
    for (const Hop &h : links[i].hops) {
      if (h.arbiter >= 0) add(arbiterUsers[size_t(h.arbiter)], linkAgent(int(i)));
      for (int to : h.to) add(feeders[size_t(to)], linkAgent(int(i)));
    }
  for (int a = 0; a < arbiters; ++a) disputed[size_t(a)] = arbiterUsers[size_t(a)].size() > 1;
  anyChoice = std::find(contended.begin(), contended.end(), true) != contended.end() ||
              std::find(disputed.begin(), disputed.end(), true) != disputed.end();
}

State Model::start(bool data) const {
  State s;
  s.locks = inits;
  s.holders.assign(size_t(arbiters), -1);
  s.tokens.assign(channels.size(), 0);
  s.links.resize(links.size()), s.channels.resize(channels.size()), s.cores.resize(cores.size());
  for (size_t i = 0; i < channels.size(); ++i) s.channels[i].queue = channels[i].starts;
  if (data)
    for (size_t b = 0; b < sizes.size(); ++b) s.memory.push_back({{sizes[b], b + 1000, 0}});
  return s;
}

int Machine::choiceOf(int agent) const {
  const int locks = int(m.inits.size());
  if (agent == 0)
    return !over() && m.sequence[size_t(s.sequence)].kind == Order::SetLock ? m.sequence[size_t(s.sequence)].a : -1;
  int i = agent - 1;
  if (i < int(m.cores.size())) {
    const auto &code = m.cores[size_t(i)];
    if (s.cores[size_t(i)].at >= int(code.size())) return -1;
    const Step &x = code[size_t(s.cores[size_t(i)].at)];
    const bool takes = x.op == Step::Acquire || x.op == Step::AcquireEqual;
    if (takes && m.contended[size_t(x.a)] && canTake(int(x.a), x.b, x.op == Step::AcquireEqual)) return int(x.a);
    if (x.op == Step::Release && m.exact[size_t(x.a)]) return int(x.a);
    return -1;
  }
  if ((i -= int(m.cores.size())) < int(m.channels.size())) {
    const ChannelState &c = s.channels[size_t(i)];
    if (c.phase != ChannelState::Acquire) return -1;
    const Bd &bd = m.bds[size_t(c.bd)];
    if (bd.acquire >= 0 && m.contended[size_t(bd.acquire)] && canTake(bd.acquire, bd.acquireBy, bd.equal)) return bd.acquire;
    return -1;
  }
  i -= int(m.channels.size());
  const LinkState &l = s.links[size_t(i)];
  if (l.runs.empty() || l.open) return -1;
  const Hop *h = hop(i, l.runs.front().packet);
  if (h && h->arbiter >= 0 && m.disputed[size_t(h->arbiter)] && s.holders[size_t(h->arbiter)] < 0) return locks + h->arbiter;
  return -1;
}

std::vector<int> Machine::choices() const {
  std::vector<int> found;
  if (!m.anyChoice) return found;
  std::map<int, std::vector<int>> by;
  for (int a = 0; a < m.agents(); ++a)
    if (int what = choiceOf(a); what >= 0) found.push_back(a), by[what].push_back(a);
  const int locks = int(m.inits.size());
  for (const auto &[what, agents] : by) { // all who ever take it stand before it: nobody else can come between
    const auto &users = what < locks ? m.takers[size_t(what)] : m.arbiterUsers[size_t(what - locks)];
    if (agents.size() >= users.size() && agents[0] != 0) return agents;
  }
  return found;
}

std::vector<Wait> Machine::waits() const {
  std::vector<Wait> found;
  if (!over()) {
    const Order &o = m.sequence[size_t(s.sequence)];
    if (o.kind == Order::Sync) found.push_back({Wait::Token, 0, o.a, s.tokens[size_t(o.a)], 1, s.sequence, -1});
    if (o.kind == Order::Push) found.push_back({Wait::QueueRoom, 0, o.a, int64_t(s.channels[size_t(o.a)].queue.size()), m.depth, s.sequence, -1});
  }
  for (size_t i = 0; i < m.cores.size(); ++i) {
    const CoreState &c = s.cores[i];
    const int agent = m.coreAgent(int(i));
    if (c.at >= int(m.cores[i].size())) {
      found.push_back({Wait::Ended, agent, -1, 0, 0, c.at, -1});
      continue;
    }
    const Step &x = m.cores[i][size_t(c.at)];
    switch (x.op) {
    case Step::Acquire:
    case Step::AcquireEqual: found.push_back({Wait::LockWait, agent, int(x.a), s.locks[size_t(x.a)], x.b, c.at, -1}); break;
    case Step::Get: found.push_back({Wait::Data, agent, int(x.a), x.b - c.left, x.b, c.at, -1}); break;
    case Step::Put: found.push_back({Wait::Room, agent, int(x.a), x.b - c.left, x.b, c.at, -1}); break;
    default: break;
    }
  }
  for (size_t i = 0; i < m.channels.size(); ++i) {
    const ChannelState &c = s.channels[i];
    const int agent = m.channelAgent(int(i));
    if (c.phase == ChannelState::Idle) {
      if (!c.queue.empty()) found.push_back({Wait::Unrouted, agent, -1, 0, 0, m.tasks[size_t(c.queue[0])].bd, -1});
      continue;
    }
    const Bd &bd = m.bds[size_t(c.bd)];
    if (c.phase == ChannelState::Acquire) found.push_back({Wait::LockWait, agent, bd.acquire, s.locks[size_t(bd.acquire)], bd.acquireBy, c.bd, -1});
    else found.push_back({m.channels[i].sends ? Wait::Room : Wait::Data, agent, m.channels[i].link, c.done, bd.words, c.bd, -1});
  }
  for (size_t i = 0; i < m.links.size(); ++i) {
    const LinkState &l = s.links[i];
    if (l.runs.empty()) continue;
    const Hop *h = hop(int(i), l.runs.front().packet);
    if (!h) continue;
    if (!l.open && h->arbiter >= 0 && s.holders[size_t(h->arbiter)] >= 0)
      found.push_back({Wait::Arbiter, m.linkAgent(int(i)), h->arbiter, 0, 0, l.runs.front().packet, s.holders[size_t(h->arbiter)]});
    else
      for (int to : h->to)
        if (s.links[size_t(to)].held >= m.links[size_t(to)].capacity)
          found.push_back({Wait::Room, m.linkAgent(int(i)), to, s.links[size_t(to)].held, m.links[size_t(to)].capacity, l.runs.front().packet, -1});
  }
  return found;
}

} // namespace orders
