// What each agent of a transition system does next.
#include "orders.h"
#include <algorithm>

namespace orders {

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9E3779B97F4A7C15ull ^ (b + 0x7F4A7C15ull + (a << 6) + (a >> 2));
  x ^= x >> 29, x *= 0xBF58476D1CE4E5B9ull, x ^= x >> 32;
  return x;
}
static uint64_t digest(const Content &c, uint64_t seed = 1) {
  for (const Segment &g : c) seed = mix(mix(mix(seed, uint64_t(g.words)), g.base), uint64_t(g.start));
  return seed;
}
static void join(Content &to, const Content &more) {
  for (const Segment &g : more)
    if (!to.empty() && to.back().base == g.base && to.back().start + to.back().words == g.start) to.back().words += g.words;
    else if (g.words) to.push_back(g);
}

Content Machine::part(int buffer, int64_t low, int64_t high) const {
  Content out;
  int64_t at = 0;
  for (const Segment &g : s.memory[size_t(buffer)]) {
    int64_t a = std::max(low, at), b = std::min(high, at + g.words);
    if (a < b) out.push_back({b - a, g.base, g.start + a - at});
    at += g.words;
  }
  return out;
}

void Machine::put(int buffer, int64_t at, const Content &data) {
  int64_t n = 0;
  for (const Segment &g : data) n += g.words;
  Content now = part(buffer, 0, at);
  join(now, data);
  join(now, part(buffer, at + n, m.sizes[size_t(buffer)]));
  s.memory[size_t(buffer)] = std::move(now);
}

void Machine::read(int buffer, int64_t low, int64_t high) {
  for (auto it = s.fresh.lower_bound({buffer, INT64_MIN}); it != s.fresh.end() && it->first.first == buffer;)
    if (it->first.second < high && it->second.high > low) it = s.fresh.erase(it);
    else ++it;
}

void Machine::changed(int link) {
  const Link &l = m.links[size_t(link)];
  wake(l.hops.empty() ? (l.reader >= 0 ? l.reader : m.linkAgent(link)) : m.linkAgent(link));
  for (int a : m.feeders[size_t(link)]) wake(a);
}

void Machine::take(int lock, int64_t amount) {
  s.locks[size_t(lock)] -= int(amount);
  touched(lock);
  for (auto it = s.fresh.begin(); it != s.fresh.end();)
    if (it->second.lock == lock && (it->second.left -= amount) <= 0) it = s.fresh.erase(it);
    else ++it;
}

void Machine::give(int agent, int lock, int64_t amount) {
  int &value = s.locks[size_t(lock)];
  value += int(amount);
  if (value > m.most) note(Event::LockOverflow, agent, lock, 0), value = m.most;
  touched(lock);
}

void Machine::append(int link, int packet, bool first, bool last, int64_t words, Content data) {
  LinkState &l = s.links[size_t(link)];
  l.held += words + first;
  if (!l.runs.empty() && !first && l.runs.back().packet == packet && !l.runs.back().last) {
    Run &r = l.runs.back();
    r.words += words, r.last = last;
    join(r.data, data);
  } else {
    l.runs.push_back({packet, first, last, words, std::move(data)});
  }
  changed(link);
}

Content Machine::takeWords(int link, int64_t words) {
  LinkState &l = s.links[size_t(link)];
  Run &r = l.runs.front();
  Content out;
  r.words -= words, l.held -= words;
  while (data_ && words > 0 && !r.data.empty()) {
    Segment &g = r.data.front();
    int64_t n = std::min(g.words, words);
    join(out, {{n, g.base, g.start}});
    g.words -= n, g.start += n, words -= n;
    if (!g.words) r.data.erase(r.data.begin());
  }
  return out;
}

const Hop *Machine::hop(int link, int packet) const {
  for (const Hop &h : m.links[size_t(link)].hops)
    if (h.packet < 0 || (packet >= 0 && (packet & h.mask) == (h.packet & h.mask))) return &h;
  return nullptr;
}

bool Machine::linkStep(int i, bool forced) {
  LinkState &l = s.links[size_t(i)];
  const Link &link = m.links[size_t(i)];
  if (l.runs.empty()) return false;
  if (link.hops.empty()) {
    if (!link.drain) return false;
    l.runs.clear(), l.held = 0;
    changed(i);
    return true;
  }
  Run &r = l.runs.front();
  const Hop *h = hop(i, r.packet);
  if (!h) {
    note(Event::Lost, m.linkAgent(i), r.packet, i);
    bool ended = r.last || r.packet < 0;
    takeWords(i, r.words);
    if (r.first) r.first = false, --l.held;
    if (ended) l.runs.erase(l.runs.begin());
    changed(i);
    return true;
  }
  if (!l.open && h->arbiter >= 0) {
    int &holder = s.holders[size_t(h->arbiter)];
    if (holder >= 0 && holder != i) return false;
    if (m.disputed[size_t(h->arbiter)] && !forced) return false;
    holder = i;
  }
  bool moved = !l.open && h->arbiter >= 0;
  l.open = true;
  int64_t n = r.words;
  bool header = r.first;
  for (size_t k = 0; k < h->to.size(); ++k) {
    const int to = h->to[k];
    int64_t room = m.links[size_t(to)].capacity - s.links[size_t(to)].held;
    if (header && h->keeps[k] && room-- < 1) return moved;
    n = std::min(n, std::max<int64_t>(room, 0));
  }
  if (!n && !header && !(r.words == 0 && r.last)) return moved;
  const int packet = r.packet;
  Content data = takeWords(i, n);
  if (header) r.first = false, --l.held;
  const bool last = r.last && r.words == 0;
  for (size_t k = 0; k < h->to.size(); ++k) {
    const int to = h->to[k];
    bool deeper = !m.links[size_t(to)].hops.empty();
    bool head = header && h->keeps[k];
    if (deeper) append(to, packet, head, last, n, data);
    else append(to, packet, false, last, n + head, data); // a header that is kept is a word at the end of the stream
  }
  if (r.words == 0 && (last || packet < 0)) {
    l.runs.erase(l.runs.begin());
    if (packet >= 0 || h->arbiter >= 0) {
      l.open = false;
      if (h->arbiter >= 0) {
        s.holders[size_t(h->arbiter)] = -1;
        for (int a : m.arbiterUsers[size_t(h->arbiter)]) wake(a);
      }
    }
  }
  changed(i);
  wake(m.linkAgent(i));
  return true;
}

bool Machine::begin(int i) {
  ChannelState &c = s.channels[size_t(i)];
  if (c.phase != ChannelState::Idle || c.queue.empty() || m.channels[size_t(i)].link < 0) return false;
  c.task = c.queue.front();
  c.queue.erase(c.queue.begin());
  const Task &t = m.tasks[size_t(c.task)];
  c.bd = t.bd, c.runsLeft = t.runs, c.done = 0, c.phase = ChannelState::Acquire;
  wake(0);
  return true;
}

void Machine::finishBd(int i) {
  ChannelState &c = s.channels[size_t(i)];
  const Bd &bd = m.bds[size_t(c.bd)];
  if (data_ && m.channels[size_t(i)].sends && bd.buffer >= 0) read(bd.buffer, bd.low, bd.high);
  if (bd.release >= 0 && bd.releaseBy) {
    give(m.channelAgent(i), bd.release, bd.releaseBy);
    for (auto &[at, block] : s.fresh)
      if (block.channel == i && block.lock < 0) block.lock = bd.release, block.left = s.locks[size_t(bd.release)];
  }
  c.done = 0, ++c.bds, c.phase = ChannelState::Acquire;
  const Task &t = m.tasks[size_t(c.task)];
  if (bd.next >= 0) c.bd = bd.next;
  else if (--c.runsLeft > 0) c.bd = t.bd;
  else {
    c.phase = ChannelState::Idle;
    if (t.token) ++s.tokens[size_t(i)], wake(0);
    c.bd = c.task = -1;
    begin(i);
  }
}

bool Machine::channelStep(int i, bool forced) {
  const Model::Channel &channel = m.channels[size_t(i)];
  ChannelState &c = s.channels[size_t(i)];
  if (c.phase == ChannelState::Idle) {
    if (!begin(i)) return false;
    wake(m.channelAgent(i));
    return true;
  }
  const Bd &bd = m.bds[size_t(c.bd)];
  if (c.phase == ChannelState::Acquire) {
    if (bd.acquire >= 0) {
      if (!canTake(bd.acquire, bd.acquireBy, bd.equal)) return false;
      if (m.contended[size_t(bd.acquire)] && !forced) return false;
      take(bd.acquire, bd.acquireBy);
    }
    c.phase = ChannelState::Move;
    if (data_ && !channel.sends && bd.buffer >= 0) {
      auto found = s.fresh.find({bd.buffer, bd.low});
      if (found != s.fresh.end()) note(Event::Overwrite, m.channelAgent(i), c.bd, bd.buffer);
      s.fresh[{bd.buffer, bd.low}] = {bd.high, i};
    }
    wake(m.channelAgent(i));
    return true;
  }
  if (channel.sends) {
    LinkState &l = s.links[size_t(channel.link)];
    int64_t room = m.links[size_t(channel.link)].capacity - l.held;
    const bool first = bd.packet >= 0 && c.done == 0;
    int64_t n = std::min(room - first, bd.words - c.done);
    if (n <= 0 && bd.words > 0) return false;
    Content data;
    if (data_) {
      if (bd.buffer < 0) data = {{n, mix(uint64_t(c.bd) + 77, uint64_t(i)), c.done}};
      else if (bd.plain) data = part(bd.buffer, bd.low + c.done, bd.low + c.done + n);
      else data = {{n, digest(part(bd.buffer, bd.low, bd.high), uint64_t(c.bd) + 3), c.done}};
    }
    c.done += n;
    const bool ends = c.done >= bd.words;
    append(channel.link, bd.packet, first, ends && bd.ends && bd.packet >= 0, n, std::move(data));
    if (ends) finishBd(i);
  } else {
    LinkState &l = s.links[size_t(channel.link)];
    if (l.runs.empty()) return false;
    Run &r = l.runs.front();
    int64_t n = std::min(r.words, bd.words - c.done);
    const bool ended = r.words == n && (r.last || r.packet < 0);
    Content data = takeWords(channel.link, n);
    if (ended) l.runs.erase(l.runs.begin());
    if (n == 0 && !ended && bd.words > 0) return false;
    if (data_) {
      if (bd.buffer < 0) join(s.host[i], data);
      else if (bd.plain) put(bd.buffer, bd.low + c.done, data);
      else {
        uint64_t old = digest(part(bd.buffer, bd.low, bd.high), digest(data, uint64_t(c.bd) + 5));
        put(bd.buffer, bd.low, {{bd.high - bd.low, mix(old, uint64_t(c.done)), 0}});
      }
    }
    c.done += n;
    changed(channel.link);
    if (c.done >= bd.words) finishBd(i);
  }
  wake(m.channelAgent(i));
  return true;
}

bool Machine::coreStep(int i, bool forced) {
  CoreState &c = s.cores[size_t(i)];
  const auto &code = m.cores[size_t(i)];
  bool moved = false;
  for (int64_t rounds = 0; c.at < int(code.size()); ++rounds) {
    if (rounds > 4096) {
      wake(m.coreAgent(i));
      return true;
    }
    const Step &x = code[size_t(c.at)];
    switch (x.op) {
    case Step::Acquire:
    case Step::AcquireEqual:
      if (!canTake(int(x.a), x.b, x.op == Step::AcquireEqual)) return moved;
      if (m.contended[size_t(x.a)] && !forced) return moved;
      forced = false;
      take(int(x.a), x.b);
      break;
    case Step::Release:
      if (m.exact[size_t(x.a)] && !forced) return moved;
      forced = false;
      give(m.coreAgent(i), int(x.a), x.b);
      break;
    case Step::Get: {
      LinkState &l = s.links[size_t(x.a)];
      if (!c.left) c.left = x.b;
      while (c.left && !l.runs.empty()) {
        Run &r = l.runs.front();
        int64_t n = std::min(r.words, c.left);
        const bool ended = r.words == n && (r.last || r.packet < 0);
        if (!n && !ended) break;
        takeWords(int(x.a), n);
        if (ended) l.runs.erase(l.runs.begin());
        c.left -= n, moved = true;
        changed(int(x.a));
      }
      if (c.left) return moved;
      break;
    }
    case Step::Put: {
      if (!c.left) c.left = x.b;
      int64_t n = std::min(c.left, m.links[size_t(x.a)].capacity - s.links[size_t(x.a)].held);
      if (n > 0) {
        Content data;
        if (data_) data = {{n, mix(uint64_t(i) + 901, uint64_t(c.at)), c.writes}}, c.writes += n;
        append(int(x.a), -1, false, false, n, std::move(data));
        c.left -= n, moved = true;
      }
      if (c.left) return moved;
      break;
    }
    case Step::Read:
      if (data_) {
        c.writes = int64_t(mix(uint64_t(c.writes), digest(s.memory[size_t(x.a)])));
        read(int(x.a), INT64_MIN, INT64_MAX);
      }
      break;
    case Step::Write:
      if (data_) {
        c.writes = int64_t(mix(uint64_t(c.writes), uint64_t(c.at)));
        s.memory[size_t(x.a)] = {{m.sizes[size_t(x.a)], mix(uint64_t(c.writes), uint64_t(i) + 11), 0}};
        read(int(x.a), INT64_MIN, INT64_MAX);
      }
      break;
    case Step::Loop:
      if (x.a == 0) {
        c.at = int(x.b);
        continue;
      }
      c.rounds.push_back(0);
      break;
    case Step::Next: {
      const Step &loop = code[size_t(x.a)];
      if (loop.a < 0 || ++c.rounds.back() < loop.a) c.at = int(x.a) + 1;
      else c.rounds.pop_back(), ++c.at;
      moved = true;
      continue;
    }
    }
    ++c.at, moved = true;
  }
  return moved;
}

bool Machine::sequenceStep(bool forced) {
  if (over()) return false;
  const Order &o = m.sequence[size_t(s.sequence)];
  switch (o.kind) {
  case Order::Push: {
    ChannelState &c = s.channels[size_t(o.a)];
    if (m.channels[size_t(o.a)].link < 0) break; // moves nothing
    if (int(c.queue.size()) >= m.depth) {
      note(Event::Overflow, 0, s.sequence, o.a);
      return false; // goes on as if it waited, which hides nothing of what comes later
    }
    c.queue.push_back(o.b);
    begin(o.a);
    wake(m.channelAgent(o.a));
    break;
  }
  case Order::Sync:
    if (s.tokens[size_t(o.a)] < 1) return false;
    --s.tokens[size_t(o.a)];
    break;
  case Order::SetLock:
    if (!forced) return false;
    s.locks[size_t(o.a)] = o.b;
    touched(o.a);
    break;
  }
  ++s.sequence;
  wake(0);
  return true;
}

bool Machine::step(int agent, bool forced) {
  if (agent == 0) return sequenceStep(forced);
  if (--agent < int(m.cores.size())) return coreStep(agent, forced);
  if ((agent -= int(m.cores.size())) < int(m.channels.size())) return channelStep(agent, forced);
  return linkStep(agent - int(m.channels.size()), forced);
}

bool Machine::settle(int64_t &budget, int lazy) {
  const int late = lazy < 0 ? -1 : m.channelAgent(lazy);
  for (int a = 0; a < m.agents(); ++a) wake(a);
  bool held = false;
  while (true) {
    if (waiting_[0]) { // the sequence first: nothing is taken from those behind it, and queues are as full as they get
      waiting_[0] = 0;
      sequenceStep(false);
      continue;
    }
    if (work_.empty()) {
      if (!held) return true;
      held = false;
      if (!step(late, false)) return true;
      wake(0);
      continue;
    }
    if (--budget < 0) return false;
    const int a = work_.front();
    work_.pop_front();
    waiting_[size_t(a)] = 0;
    if (a == late) held = true;
    else step(a, false);
  }
}

void Machine::choose(int agent) { step(agent, true); }

} // namespace orders
