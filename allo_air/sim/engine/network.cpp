#include "network.h"
#include <numeric>
#include <stdexcept>

namespace sim {

static std::string show(const Port &p) { return tileName(p.col, p.row) + " " + p.name + " " + std::to_string(p.channel); }

void Network::route(const Port &source, bool circuit, Word id, Word mask,
                    const std::vector<std::tuple<Port, Cycle, int64_t, bool>> &dests) {
  const Timing &t = machine_.timing;
  auto channelOf = [&](const Port &p, Direction d) -> Channel * {
    Tile *tile = machine_.tile(p.col, p.row);
    if (!tile) throw std::invalid_argument("a route names " + show(p) + ", but there is no such tile");
    if (p.name != "DMA") return nullptr;
    if (p.channel < 0 || p.channel >= int(tile->channels[d].size())) throw std::invalid_argument(show(p) + " does not exist");
    return tile->channels[d][p.channel].get();
  };
  auto &stream = streams[source];
  if (!stream) {
    stream = std::make_unique<Stream>();
    stream->port = source;
    stream->channel = channelOf(source, kMM2S);
    if (stream->channel) stream->channel->stream = stream.get();
    stream->staging.resize(int64_t(stream->channel ? t.mm2s_staging_words : t.core_stream_fifo_words) * machine_.rate());
  }
  for (Route &r : stream->routes)
    if (circuit || r.circuit || (r.id == id && r.mask == mask)) throw std::invalid_argument(show(source) + " has this route already");
  Route route{circuit, id, mask, {}};
  for (auto &[port, latency, words, keep] : dests) {
    auto &sink = sinks[port];
    if (!sink) {
      sink = std::make_unique<Sink>();
      sink->port = port;
      sink->channel = channelOf(port, kS2MM);
      if (sink->channel) sink->channel->sink = sink.get();
      sink->outside = !sink->channel && port.name != "Core" && port.name != "TileControl";
    }
    int64_t own = int64_t(sink->channel ? t.s2mm_fifo_words : t.core_stream_fifo_words);
    int64_t inFlight = latency; // registers of the switches along the way hold a word each
    sink->fifo.resize(std::max(sink->fifo.capacity, (own + words + inFlight) * machine_.rate()));
    sink->sources.push_back(stream.get());
    if (circuit && sink->sources.size() > 1) throw std::invalid_argument("two circuits end at " + show(port));
    route.dests.push_back({sink.get(), latency, keep});
  }
  stream->routes.push_back(std::move(route));
}

void Network::connect() {
  std::map<const void *, const void *> parent;
  std::function<const void *(const void *)> root = [&](const void *p) {
    auto it = parent.try_emplace(p, p).first;
    return it->second == p ? p : it->second = root(it->second);
  };
  for (auto &[port, s] : streams)
    for (Route &r : s->routes)
      for (auto &d : r.dests) parent[root(d.sink)] = root(s.get());
  std::map<const void *, Net *> nets;
  auto netOf = [&](const void *p) {
    Net *&net = nets[root(p)];
    if (!net) net = nets_.emplace_back(std::make_unique<Net>(machine_)).get();
    return net;
  };
  for (auto &[port, s] : streams) {
    s->net = netOf(s.get());
    s->net->streams.push_back(s.get());
    if (s->channel) s->channel->net = s->net;
  }
  for (auto &[port, s] : sinks) {
    s->net = netOf(s.get());
    s->net->sinks.push_back(s.get());
    if (s->channel) s->channel->net = s->net;
  }
}

// Words that nobody takes. A producer that runs ahead of the last output is no defect, so what a tile sends without end is not counted
// unless its destination never took a word.
void Network::reportLeftovers(const std::function<bool(const Stream &)> &endless, Cycle now) {
  auto report = [&](const Port &to, const Stream *from, int64_t words) {
    Finding f;
    f.kind = "unconsumed-stream-data", f.cycle = now;
    f.agent = from->channel ? from->channel->actor() : Actor{from->port.col, from->port.row, "core", kMM2S, from->port.channel};
    f.agent.bd = -1;
    f.other = Actor{to.col, to.row, to.name == "DMA" ? "dma" : "stream", kS2MM, to.channel};
    f.col = to.col, f.row = to.row, f.value = words;
    f.detail = std::to_string(words) + " words that " + show(from->port) + " sent are left at " + show(to) + " at the end";
    machine_.judge.report(std::move(f));
  };
  for (auto &[port, s] : streams) {
    if (port.name == "Trace") continue; // a full buffer ends the trace
    bool shim = machine_.tile(port.col, port.row)->kind == TileKind::Shim;
    for (Route &r : s->routes)
      for (auto &d : r.dests) {
        bool other = d.sink->sources.size() > 1 && d.sink->holder && d.sink->holder != s.get(); // what is there is another's
        bool never = d.sink->fifo.popped() == 0;
        if (!shim && !never && endless(*s)) continue;
        int64_t left = (other ? 0 : d.sink->fifo.size()) + (s->routes.size() == 1 ? s->staging.size() : 0);
        if (left > 0) report(d.sink->port, s.get(), left);
      }
  }
}

} // namespace sim
