// The transition system for Python.
#include "orders.h"
#include "orders_binding.h"
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace orders;

static nb::object told(const Model &m, const Outcome &o) {
  nb::list waits, choices;
  for (const Wait &w : o.waits) waits.append(nb::make_tuple(int(w.kind), w.agent, w.what, w.has, w.wants, w.at, w.holder));
  for (auto &[agent, at] : o.choices) choices.append(nb::make_tuple(agent, at));
  nb::dict d;
  std::string print = fingerprint(m, o.state);
  d["waits"] = waits, d["choices"] = choices, d["endless"] = o.endless, d["sequence"] = o.state.sequence;
  d["locks"] = nb::cast(o.state.locks), d["fingerprint"] = nb::bytes(print.data(), print.size());
  nb::list cores;
  for (const CoreState &c : o.state.cores) cores.append(c.at);
  nb::list bds;
  for (const ChannelState &c : o.state.channels) bds.append(nb::make_tuple(int(c.phase), c.bd, c.done, c.bds, int64_t(c.queue.size())));
  d["cores"] = cores, d["channels"] = bds;
  return std::move(d);
}

static nb::object told(const Model &m, const Found &f) {
  nb::dict d;
  nb::list hangs, ends, events, results;
  for (const Outcome &o : f.hangs) hangs.append(told(m, o));
  for (const Outcome &o : f.ends) ends.append(told(m, o));
  for (auto &[e, n] : f.events) events.append(nb::make_tuple(int(e.kind), e.agent, e.a, e.b, n));
  for (auto &[r, n] : f.results) results.append(n);
  d["orders"] = f.orders, d["hanging"] = f.hanging, d["states"] = f.states, d["steps"] = f.steps, d["choices"] = f.choices;
  d["complete"] = f.complete, d["seconds"] = f.seconds, d["hangs"] = hangs, d["ends"] = ends, d["events"] = events, d["results"] = results;
  return std::move(d);
}

void bindOrders(nb::module_ &module) {
  nb::class_<Model>(module, "Orders")
      .def(nb::init<>())
      .def("copy", [](const Model &m) { return Model(m); })
      .def("lock", [](Model &m, int init) { return m.inits.push_back(init), int(m.inits.size()) - 1; })
      .def("set_init", [](Model &m, int lock, int init) { m.inits.at(size_t(lock)) = init; })
      .def("buffer", [](Model &m, int64_t words) { return m.sizes.push_back(words), int(m.sizes.size()) - 1; })
      .def("arbiter", [](Model &m) { return m.arbiters++; })
      .def("link",
           [](Model &m, int64_t capacity, bool drain) {
             Link l;
             l.capacity = capacity, l.drain = drain;
             return m.links.push_back(l), int(m.links.size()) - 1;
           },
           "capacity"_a, "drain"_a = false)
      .def("set_capacity", [](Model &m, int link, int64_t words) { m.links.at(size_t(link)).capacity = words; })
      .def("capacity", [](const Model &m, int link) { return m.links.at(size_t(link)).capacity; })
      .def("links", [](const Model &m) { return int(m.links.size()); })
      .def("hop",
           [](Model &m, int link, int packet, int mask, int arbiter, const std::vector<int> &to, const std::vector<bool> &keeps) {
             m.links.at(size_t(link)).hops.push_back({packet, mask, arbiter, to, keeps});
           })
      .def("set_arbiter", [](Model &m, int link, int hop, int arbiter) { m.links.at(size_t(link)).hops.at(size_t(hop)).arbiter = arbiter; })
      .def("bd",
           [](Model &m, int acquire, int by, bool equal, int64_t words, int packet, int release, int releaseBy, int buffer, int64_t low, int64_t high, bool plain,
              bool ends) {
             Bd b;
             b.acquire = acquire, b.acquireBy = by, b.equal = equal, b.words = words, b.packet = packet, b.release = release, b.releaseBy = releaseBy;
             b.buffer = buffer, b.low = low, b.high = high, b.plain = plain, b.ends = ends;
             return m.bds.push_back(b), int(m.bds.size()) - 1;
           })
      .def("chain", [](Model &m, int bd, int next) { m.bds.at(size_t(bd)).next = next; })
      .def("task", [](Model &m, int bd, int runs, bool token) { return m.tasks.push_back({bd, runs, token}), int(m.tasks.size()) - 1; })
      .def("channel", [](Model &m, bool sends, int link) { return m.channels.push_back({sends, link, {}}), int(m.channels.size()) - 1; })
      .def("begin", [](Model &m, int channel, int task) { m.channels.at(size_t(channel)).starts.push_back(task); })
      .def("core",
           [](Model &m, const std::vector<std::tuple<int, int64_t, int64_t, int>> &steps) {
             std::vector<Step> code;
             for (auto &[op, a, b, site] : steps) code.push_back({op, a, b, site});
             return m.cores.push_back(std::move(code)), int(m.cores.size()) - 1;
           })
      .def("order", [](Model &m, int kind, int a, int b) { m.sequence.push_back({Order::Kind(kind), a, b}); })
      .def("set_sequence",
           [](Model &m, const std::vector<std::tuple<int, int, int>> &orders) {
             m.sequence.clear();
             for (auto &[kind, a, b] : orders) m.sequence.push_back({Order::Kind(kind), a, b});
           })
      .def("prepare", &Model::prepare)
      .def("any_choice", [](const Model &m) { return m.anyChoice; })
      .def("contended", [](const Model &m) { return m.contended; })
      .def("disputed", [](const Model &m) { return m.disputed; })
      .def("takers", [](const Model &m) { return m.takers; })
      .def("rest", // the state before the sequence
           [](const Model &m, int64_t steps) -> nb::object {
             Outcome o;
             o.state = m.start(false);
             Model still = m;
             still.sequence.clear();
             std::map<Event, int64_t> events;
             if (!Machine(still, o.state, events, false).settle(steps)) return nb::none();
             return told(m, o);
           })
      .def("every",
           [](const Model &m, int64_t states, int64_t steps, double seconds, bool data, int lazy) {
             Limits limits;
             limits.states = states, limits.steps = steps, limits.seconds = seconds, limits.data = data, limits.lazy = lazy;
             Found found;
             {
               nb::gil_scoped_release free;
               found = everyOrder(m, limits);
             }
             return told(m, found);
           },
           "states"_a, "steps"_a, "seconds"_a, "data"_a, "lazy"_a = -1)
      .def("some",
           [](const Model &m, int64_t orders, int64_t steps, double seconds, uint64_t seed, bool data) {
             Limits limits;
             limits.orders = orders, limits.steps = steps, limits.seconds = seconds, limits.seed = seed, limits.data = data;
             Found found;
             {
               nb::gil_scoped_release free;
               found = someOrders(m, limits);
             }
             return told(m, found);
           },
           "orders"_a, "steps"_a, "seconds"_a, "seed"_a, "data"_a);
}
