// Streams: sources, routes (circuits and packets), sinks, and the nets of those that touch each other.
#pragma once
#include "channel.h"
#include <functional>
#include <optional>

namespace sim {

struct Port {
  int col, row;
  std::string name;
  int channel;
  auto operator<=>(const Port &) const = default;
};

class ControlPort;

class Sink { // where words arrive: an S2MM channel, a core's stream port, a tile's control port, or the outside
public:
  Port port;
  Fifo fifo;
  Net *net = nullptr;
  Stream *holder = nullptr; // whose packet comes in
  Channel *channel = nullptr;
  Stepped *reader = nullptr; // a core that waits
  ControlPort *control = nullptr;
  std::vector<Stream *> sources;
  bool outside = false;
  bool ofTraces() const; // only trace units send here
};

struct Route {
  bool circuit;
  Word id, mask;
  struct Dest {
    Sink *sink;
    Cycle latency;
    bool keepHeader;
  };
  std::vector<Dest> dests;
};

class Stream { // where words come from: an MM2S channel or a core's stream port
public:
  Port port;
  Fifo staging;
  Net *net = nullptr;
  Channel *channel = nullptr;
  Stepped *writer = nullptr; // a core that waits, or a unit that has more to send
  std::vector<Route> routes;
  Route *routeOf(Word header);
  Route *current = nullptr;
  bool dropping = false, headerInFront = false;
  Cycle blockedSince = -1, ready = 0;
  Sink *heldElsewhere(); // the arbiter at which the next packet waits for the end of another
};

class Net : public Stepped {
public:
  explicit Net(Machine &m) : machine_(m) { scheduler = &m.scheduler; }
  std::vector<Stream *> streams;
  std::vector<Sink *> sinks;
  void step(Cycle now) override;

private:
  bool move(Stream &s, Cycle now, Cycle &wants);
  bool open(Stream &s, Cycle now);
  bool drain(Sink &s, Cycle now, Cycle &wants);
  bool burst(Cycle now);
  bool flows() const;
  void flow(Cycle now);
  struct Pipe { // of a circuit whose words flow: how many are on the way, and when the first of them arrives
    int64_t held = 0;
    Cycle visible = 0;
  };
  Machine &machine_;
  std::vector<Word> words_;
  std::vector<Pipe> pipes_;
  std::vector<int64_t> takes_;
  std::optional<bool> flows_; // where only time is asked for
};

class Network {
public:
  explicit Network(Machine &m) : machine_(m) {}
  void route(const Port &source, bool circuit, Word id, Word mask, const std::vector<std::tuple<Port, Cycle, int64_t, bool>> &dests);
  void connect(); // makes the nets; after all routes
  Stream *stream(const Port &p) { auto it = streams.find(p); return it == streams.end() ? nullptr : it->second.get(); }
  Sink *sink(const Port &p) { auto it = sinks.find(p); return it == sinks.end() ? nullptr : it->second.get(); }
  std::map<Port, std::unique_ptr<Stream>> streams;
  std::map<Port, std::unique_ptr<Sink>> sinks;
  const std::vector<std::unique_ptr<Net>> &nets() const { return nets_; }
  void reportLeftovers(const std::function<bool(const Stream &)> &endless, Cycle now);

private:
  Machine &machine_;
  std::vector<std::unique_ptr<Net>> nets_;
};

} // namespace sim
