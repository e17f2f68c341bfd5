// What a run leaves behind, as read-only Python classes.
#include "array.h"
#include <algorithm>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace sim {

struct LockUse {
  int col, row, lock, initial, value;
  std::vector<std::pair<Actor, int64_t>> acquires, releases;
};

struct CoreCounters {
  int col, row;
  bool finished;
  Cycle lastCycle;
  int64_t busy, call, lockStall, streamStall, cascadeStall, macs, vector;
  std::map<int, std::pair<int64_t, int64_t>> regions;
};

struct ChannelCounters {
  int col, row, direction, channel;
  int64_t words, bds, tasks, busy, starved, stalled, lockStall;
  Cycle first, last;
};

struct ControllerCounters {
  int64_t instructions, busy, syncStall, syncs, pushes, ignored;
  Cycle doneCycle;
};

struct Result {
  std::string status;
  std::shared_ptr<Array> array;
  std::vector<LockUse> locks;
  std::vector<CoreCounters> cores;
  std::vector<ChannelCounters> channels;
  ControllerCounters controller;
};

static void collectTiles(Result &r, Tile &t) {
  for (Lock &l : t.locks) {
    if (!l.used) continue;
    LockUse use{l.col, l.row, l.id, l.initial, l.value, l.acquires, l.releases};
    r.locks.push_back(std::move(use));
  }
  for (auto &direction : t.channels)
    for (auto &c : direction)
      if (auto &n = c->counters; c->net)
        r.channels.push_back(
            {t.col, t.row, c->direction, c->number, n.words, n.bds, n.tasks, n.busy, n.starved, n.stalled, n.lockStall, n.first, n.last});
}

nb::object makeResult(std::shared_ptr<Array> array, const std::string &status) {
  Result r{status, array, {}, {}, {}, {}};
  for (auto &[at, t] : array->machine->tiles) collectTiles(r, *t);
  for (auto &[at, core] : array->cores) {
    auto &n = core->counters;
    r.cores.push_back({at.first, at.second, core->finished, n.last, n.busy, n.call, n.lockStall, n.streamStall, n.cascadeStall, n.macs,
                       n.vector, n.regions});
  }
  auto &c = array->controller.counters;
  r.controller = {c.instructions, int64_t(c.busy), c.syncStall, c.syncs, c.pushes, c.ignored, c.doneCycle};
  auto &events = array->machine->trace.events;
  std::stable_sort(events.begin(), events.end(), [](auto &a, auto &b) { return a.cycle < b.cycle; });
  return nb::cast(std::move(r));
}

template <typename T, typename F> static nb::object column(const std::vector<Trace::Event> &events, F field) {
  T *data = new T[events.size()];
  for (size_t i = 0; i < events.size(); ++i) data[i] = T(field(events[i]));
  nb::capsule owner(data, [](void *p) noexcept { delete[] static_cast<T *>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {events.size()}, owner));
}

static nb::dict eventsOf(const Result &r) {
  auto &events = r.array->machine->trace.events;
  nb::dict d;
  d["cycle"] = column<int64_t>(events, [](auto &e) { return e.cycle; });
  d["col"] = column<int16_t>(events, [](auto &e) { return e.col; });
  d["row"] = column<int16_t>(events, [](auto &e) { return e.row; });
  d["unit"] = column<int8_t>(events, [](auto &e) { return e.unit; });
  d["event"] = column<int16_t>(events, [](auto &e) { return e.event; });
  d["phase"] = column<int8_t>(events, [](auto &e) { return e.phase; });
  d["detail"] = column<int32_t>(events, [](auto &e) { return e.detail; });
  return d;
}

static void bindJudgement(nb::module_ &m) {
  nb::class_<Actor>(m, "Agent")
      .def_ro("col", &Actor::col).def_ro("row", &Actor::row)
      .def_prop_ro("unit", [](const Actor &a) { return std::string(a.unit); })
      .def_ro("direction", &Actor::direction).def_ro("channel", &Actor::channel).def_ro("bd", &Actor::bd).def_ro("site", &Actor::site)
      .def("__repr__", [](const Actor &a) {
        return "Agent(" + std::string(a.unit) + " " + std::to_string(a.col) + "," + std::to_string(a.row) + " direction " +
               std::to_string(a.direction) + " channel " + std::to_string(a.channel) + " bd " + std::to_string(a.bd) + " site " +
               std::to_string(a.site) + ")";
      });
  nb::class_<Finding>(m, "Finding")
      .def_ro("kind", &Finding::kind).def_ro("cycle", &Finding::cycle).def_ro("agent", &Finding::agent).def_ro("other", &Finding::other)
      .def_ro("col", &Finding::col).def_ro("row", &Finding::row).def_ro("lock", &Finding::lock).def_ro("address", &Finding::address)
      .def_ro("bytes", &Finding::bytes).def_ro("buffer", &Finding::buffer).def_ro("argument", &Finding::argument)
      .def_ro("value", &Finding::value).def_ro("wanted", &Finding::wanted).def_ro("access", &Finding::access)
      .def_ro("other_access", &Finding::otherAccess).def_ro("detail", &Finding::detail)
      .def_prop_ro("cause", [](const Finding &f) { return std::string(f.cause); }).def_ro("count", &Finding::count)
      .def_ro("same", &Finding::same).def_ro("differs", &Finding::differs)
      .def("__repr__", [](const Finding &f) { return "Finding(" + f.kind + " at cycle " + std::to_string(f.cycle) + ": " + f.detail + ")"; });
  nb::class_<WaitInfo>(m, "Wait")
      .def_ro("agent", &WaitInfo::agent).def_ro("kind", &WaitInfo::kind).def_ro("since", &WaitInfo::since).def_ro("col", &WaitInfo::col)
      .def_ro("row", &WaitInfo::row).def_ro("lock", &WaitInfo::lock).def_ro("action", &WaitInfo::action).def_ro("value", &WaitInfo::value)
      .def_ro("wanted", &WaitInfo::wanted).def_ro("direction", &WaitInfo::direction).def_ro("channel", &WaitInfo::channel)
      .def_ro("words", &WaitInfo::words)
      .def_prop_ro("ports", [](const WaitInfo &w) {
        std::vector<std::tuple<int, int, std::string, int>> ports;
        for (const Port &p : w.ports) ports.push_back({p.col, p.row, p.name, p.channel});
        return ports;
      });
  nb::class_<LockUse>(m, "LockUse")
      .def_ro("col", &LockUse::col).def_ro("row", &LockUse::row).def_ro("lock", &LockUse::lock).def_ro("initial", &LockUse::initial)
      .def_ro("value", &LockUse::value).def_ro("acquires", &LockUse::acquires).def_ro("releases", &LockUse::releases);
}

static void bindOrigins(nb::module_ &m) {
  nb::class_<Step>(m, "Step")
      .def_prop_ro("kind", [](const Step &s) { return std::string(s.kind); })
      .def_ro("agent", &Step::actor).def_ro("other", &Step::other).def_ro("task", &Step::task).def_ro("other_task", &Step::otherTask)
      .def_ro("cycle", &Step::cycle)
      .def_prop_ro("source", [](const Step &s) {
        static const char *kinds[] = {"", "padding", "tile", "host"};
        return std::make_tuple(std::string(kinds[s.from.kind]), s.from.col, s.from.row, s.from.argument, s.from.offset);
      });
}

static void bindCounters(nb::module_ &m) {
  nb::class_<CoreCounters>(m, "CoreCounters")
      .def_ro("col", &CoreCounters::col).def_ro("row", &CoreCounters::row).def_ro("finished", &CoreCounters::finished)
      .def_ro("last_cycle", &CoreCounters::lastCycle).def_ro("busy", &CoreCounters::busy).def_ro("call", &CoreCounters::call)
      .def_ro("lock_stall", &CoreCounters::lockStall).def_ro("stream_stall", &CoreCounters::streamStall)
      .def_ro("cascade_stall", &CoreCounters::cascadeStall).def_ro("macs", &CoreCounters::macs)
      .def_ro("vector_cycles", &CoreCounters::vector).def_ro("regions", &CoreCounters::regions);
  nb::class_<ChannelCounters>(m, "ChannelCounters")
      .def_ro("col", &ChannelCounters::col).def_ro("row", &ChannelCounters::row).def_ro("direction", &ChannelCounters::direction)
      .def_ro("channel", &ChannelCounters::channel).def_ro("words", &ChannelCounters::words).def_ro("bds", &ChannelCounters::bds)
      .def_ro("tasks", &ChannelCounters::tasks).def_ro("busy", &ChannelCounters::busy).def_ro("starved", &ChannelCounters::starved)
      .def_ro("stalled", &ChannelCounters::stalled).def_ro("lock_stall", &ChannelCounters::lockStall)
      .def_ro("first_cycle", &ChannelCounters::first).def_ro("last_cycle", &ChannelCounters::last);
  nb::class_<ControllerCounters>(m, "ControllerCounters")
      .def_ro("instructions", &ControllerCounters::instructions).def_ro("busy", &ControllerCounters::busy)
      .def_ro("sync_stall", &ControllerCounters::syncStall).def_ro("syncs", &ControllerCounters::syncs)
      .def_ro("pushes", &ControllerCounters::pushes).def_ro("ignored_writes", &ControllerCounters::ignored)
      .def_ro("done_cycle", &ControllerCounters::doneCycle);
}

void bindResults(nb::module_ &m) {
  bindJudgement(m);
  bindCounters(m);
  bindOrigins(m);
  nb::class_<Result>(m, "Result")
      .def_ro("status", &Result::status)
      .def_prop_ro("cycles", [](const Result &r) { return r.array->cycles; })
      .def_prop_ro("findings", [](const Result &r) { return r.array->machine->judge.findings; })
      .def_prop_ro("waits", [](const Result &r) { return r.array->waits; })
      .def_ro("locks", &Result::locks).def_ro("cores", &Result::cores).def_ro("channels", &Result::channels)
      .def_ro("controller", &Result::controller)
      .def_prop_ro("untraced", [](const Result &r) {
        std::vector<std::tuple<int, int, std::string, int>> found;
        for (auto &m : r.array->events.modules)
          for (int event : m->unknown) found.push_back({m->tile.col, m->tile.row, m->map.name, event});
        return found;
      })
      .def_prop_ro("steps", [](const Result &r) { return r.array->machine->scheduler.steps; })
      .def_prop_ro("words_moved", [](const Result &r) { return r.array->machine->wordsMoved; })
      .def_prop_ro("ddr_bytes", [](const Result &r) { return r.array->machine->ddr.bytesMoved; })
      .def_prop_ro("events", &eventsOf);
}

} // namespace sim
