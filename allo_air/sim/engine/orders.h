// A design as a transition system of locks, BDs, queues, stream FIFOs, packets and core phases, run in any order: no cycles, no data.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace orders {

struct Bd {
  int acquire = -1, acquireBy = 0; // lock, and how much of it
  bool equal = false;              // exactly so much
  int64_t words = 0;
  int packet = -1; // id in the header, -1 without one
  int release = -1, releaseBy = 0;
  int next = -1;
  int buffer = -1;         // -1: host memory
  int64_t low = 0, high = 0; // words of the buffer that it lies between
  bool plain = true;       // contiguous
  bool ends = true;        // sets TLAST
};

struct Task {
  int bd = 0, runs = 1;
  bool token = false;
};

struct Step { // of a core
  // Acquire, AcquireEqual, Release: lock, amount. Get, Put: link, words. Read, Write: buffer. Loop: rounds (endless below 0), step behind
  // its Next. Next: step of its Loop. `site` is where in the source.
  enum Op : int { Acquire, AcquireEqual, Release, Get, Put, Read, Write, Loop, Next };
  int op;
  int64_t a, b;
  int site;
};

struct Hop { // where what comes out of a link goes on: all words, or packets of an id
  int packet = -1, mask = 31, arbiter = -1;
  std::vector<int> to;
  std::vector<bool> keeps; // whether the header goes on
};

struct Link { // a FIFO between two switches, or at an end of a stream
  int64_t capacity = 0;
  std::vector<Hop> hops;
  bool drain = false; // takes everything
  int reader = -1;    // agent
};

struct Order { // of the sequence
  enum Kind : int { Push, Sync, SetLock } kind;
  int a, b;
};

struct Segment { // words of one origin
  int64_t words;
  uint64_t base;
  int64_t start;
  bool operator==(const Segment &) const = default;
};
using Content = std::vector<Segment>;

struct Run { // consecutive words of one packet, or of a circuit, in a link
  int packet = -1;
  bool first = false, last = false; // the header is in front; the end is there
  int64_t words = 0;
  Content data;
};

struct LinkState {
  std::vector<Run> runs;
  int64_t held = 0;
  bool open = false; // the packet in front has its arbiter
};

struct ChannelState {
  enum Phase : int { Idle, Acquire, Move } phase = Idle;
  int bd = -1, runsLeft = 0, task = -1;
  int64_t done = 0, bds = 0;
  std::vector<int> queue;
};

struct CoreState {
  int at = 0;
  int64_t left = 0; // words that are still to come or go of a step
  int64_t writes = 0;
  std::vector<int64_t> rounds;
};

struct Block { // what a channel has put into a buffer up to `high`, until somebody reads it, or takes its token
  int64_t high;
  int channel, lock = -1; // the lock that counts it, once it is released
  int64_t left = 0;       // tokens of the lock up to its own
};

struct State {
  std::vector<int> locks, holders, tokens;
  std::vector<LinkState> links;
  std::vector<ChannelState> channels;
  std::vector<CoreState> cores;
  int sequence = 0;
  // Where data are followed:
  std::vector<Content> memory;
  std::map<std::pair<int, int64_t>, Block> fresh; // by (buffer, low)
  std::map<int, Content> host;
};

struct Event { // what is seen on the way
  enum Kind : int { Overflow, LockOverflow, Overwrite, Stale, Lost } kind;
  int agent, a, b;
  bool operator<(const Event &o) const { return std::tie(kind, agent, a, b) < std::tie(o.kind, o.agent, o.a, o.b); }
};

// What an agent that cannot go on waits for.
struct Wait {
  enum Kind : int { LockWait, Room, Data, Arbiter, Token, QueueRoom, Ended, Unrouted } kind;
  int agent, what;       // lock, link, arbiter, channel
  int64_t has, wants;    // value and amount; words there and wanted
  int at, holder;        // BD or step; link that has the arbiter, -1
};

class Model {
public:
  // Agents: the sequence is 0, then cores, channels, links.
  std::vector<int> inits;
  std::vector<Link> links;
  int arbiters = 0, buffers = 0;
  std::vector<int64_t> sizes; // of buffers
  std::vector<bool> initial;  // buffers that have a value at first
  struct Channel {
    bool sends;
    int link;
    std::vector<int> starts;
  };
  std::vector<Channel> channels;
  std::vector<Bd> bds;
  std::vector<Task> tasks;
  std::vector<std::vector<Step>> cores;
  std::vector<Order> sequence;
  int depth = 4; // of queues
  int most = 63; // of locks

  void prepare();
  int agents() const { return 1 + int(cores.size() + channels.size() + links.size()); }
  int coreAgent(int i) const { return 1 + i; }
  int channelAgent(int i) const { return 1 + int(cores.size()) + i; }
  int linkAgent(int i) const { return 1 + int(cores.size() + channels.size()) + i; }

  State start(bool data) const;
  std::vector<std::vector<int>> lockUsers, takers, arbiterUsers, feeders; // who acquires a lock or waits for it; takes one; by arbiter; writes a link
  std::vector<bool> contended, exact, disputed;                   // locks of several takers, locks with an exact acquire; arbiters
  bool anyChoice = false;
};

// Moves one state on.
class Machine {
public:
  Machine(const Model &model, State &state, std::map<Event, int64_t> &events, bool data)
      : m(model), s(state), events_(events), data_(data), waiting_(size_t(model.agents()), 0) {}
  // Does what every order does sooner or later, at most `budget` steps; false where that does not end. Channel `lazy` moves last.
  bool settle(int64_t &budget, int lazy = -1);
  std::vector<int> choices() const; // agents whose next step is possible, and excludes one of another
  void choose(int agent);
  std::vector<Wait> waits() const;
  bool over() const { return s.sequence >= int(m.sequence.size()); }

private:
  bool step(int agent, bool forced);
  bool sequenceStep(bool forced);
  bool coreStep(int i, bool forced);
  bool channelStep(int i, bool forced);
  bool linkStep(int i, bool forced);
  bool canTake(int lock, int64_t amount, bool equal) const { return equal ? s.locks[size_t(lock)] == amount : s.locks[size_t(lock)] >= amount; }
  void take(int lock, int64_t amount);
  void give(int agent, int lock, int64_t amount);
  void touched(int lock) {
    for (int a : m.lockUsers[size_t(lock)]) wake(a);
  }
  void changed(int link);
  void wake(int agent) {
    if (waiting_[size_t(agent)]) return;
    waiting_[size_t(agent)] = 1;
    if (agent) work_.push_back(agent);
  }
  void append(int link, int packet, bool first, bool last, int64_t words, Content data);
  Content takeWords(int link, int64_t words);
  bool begin(int channel);
  void finishBd(int channel);
  const Hop *hop(int link, int packet) const;
  int choiceOf(int agent) const; // what its next step takes from others: a lock, or an arbiter behind all locks; -1
  void note(Event::Kind kind, int agent, int a, int b) { ++events_[{kind, agent, a, b}]; }
  // Data.
  Content part(int buffer, int64_t low, int64_t high) const;
  void put(int buffer, int64_t at, const Content &data);
  void read(int buffer, int64_t low, int64_t high);

  const Model &m;
  State &s;
  std::map<Event, int64_t> &events_;
  bool data_;
  std::vector<char> waiting_;
  std::deque<int> work_;
};

struct Outcome {
  bool hangs = false, endless = false;
  std::vector<Wait> waits;
  std::vector<std::pair<int, int>> choices; // agent, and where its program was
  uint64_t result = 0;                      // of what came to the host
  int run = 0;                              // of the sequence, from 0
  State state;
};

struct Found {
  int64_t orders = 0, hanging = 0, states = 0, steps = 0, choices = 0;
  bool complete = false;
  double seconds = 0;
  std::vector<Outcome> hangs, ends; // one of each kind
  std::map<uint64_t, int64_t> results;
  std::map<Event, int64_t> events;
};

struct Limits {
  int64_t states = 20000, steps = 20000000, orders = 200;
  double seconds = 1;
  uint64_t seed = 0;
  bool data = true;
  int lazy = -1, runs = 1;
};

Found everyOrder(const Model &model, const Limits &limits);
Found someOrders(const Model &model, const Limits &limits);
// Whether what is left of two runs is the same: locks, BDs, queues, programs and streams.
std::string fingerprint(const Model &model, const State &state);
uint64_t resultOf(const State &state);

} // namespace orders
