// The Python module allo_air.sim._engine; its types and units are described in _engine.pyi.
#include "array.h"
#include "orders_binding.h"
#include "symbols.h"
#include <algorithm>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace sim {

void bindResults(nb::module_ &m); // binding_results.cpp
nb::object makeResult(std::shared_ptr<Array> array, const std::string &status);

static TileKind kindOf(const std::string &kind) {
  if (kind == "core") return TileKind::Core;
  if (kind == "mem") return TileKind::Mem;
  if (kind == "shim") return TileKind::Shim;
  throw std::invalid_argument("tile kind '" + kind + "'; known are core, mem, shim");
}

using PyPort = std::tuple<int, int, std::string, int>;
using PyDest = std::tuple<int, int, std::string, int, int, int, bool>;

static Port portOf(const PyPort &p) { return {std::get<0>(p), std::get<1>(p), std::get<2>(p), std::get<3>(p)}; }

static void addRoute(Array &a, const PyPort &source, std::optional<std::pair<uint32_t, uint32_t>> packet, const std::vector<PyDest> &dests) {
  std::vector<std::tuple<Port, Cycle, int64_t, bool>> to;
  for (auto &[col, row, name, channel, latency, words, keep] : dests) to.push_back({Port{col, row, name, channel}, latency, words, keep});
  if (to.empty()) throw std::invalid_argument("a route has at least one destination");
  a.network.route(portOf(source), !packet, packet ? packet->first : 0, packet ? packet->second : 0, to);
}

class PyArray { // keeps the Python objects alive that the engine points into
public:
  std::shared_ptr<Array> array;
  nb::list kept;
};

static void checkRange(Array &a, int col, int row, int64_t offset, int64_t bytes) {
  if (offset < 0 || bytes < 0 || offset + bytes > a.memory(col, row).size())
    throw std::invalid_argument("bytes " + std::to_string(offset) + " to " + std::to_string(offset + bytes) + " are not in the memory of " +
                                tileName(col, row));
}

static void addHostBuffer(PyArray &self, int index, nb::ndarray<nb::numpy, nb::c_contig> data) {
  if (index < 0 || index > 4094) throw std::invalid_argument("argument index out of range");
  self.array->machine->ddr.buffers[index] = HostBuffer{static_cast<uint8_t *>(data.data()), int64_t(data.nbytes())};
  self.kept.append(nb::cast(data));
}

static HostBuffer &hostBuffer(PyArray &self, int index) {
  auto it = self.array->machine->ddr.buffers.find(index);
  if (it == self.array->machine->ddr.buffers.end()) throw std::invalid_argument("no host buffer " + std::to_string(index));
  return it->second;
}

static nb::object run(PyArray &self, int64_t maxCycles, bool strict, bool trace, std::optional<std::function<bool(int64_t, int64_t)>> progress) {
  auto beat = [&](Cycle cycle, int64_t done) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return !progress || (*progress)(cycle, done);
  };
  return makeResult(self.array, self.array->run(maxCycles, strict, trace, beat));
}

NB_MODULE(_engine, m) {
  nb::set_leak_warnings(false);
  bindOrders(m);
  m.attr("S2MM") = int(kS2MM);
  m.attr("MM2S") = int(kMM2S);
  m.attr("FINDING_KINDS") = nb::tuple(nb::cast(findingKinds()));
  m.attr("EVENT_NAMES") = nb::tuple(nb::cast(eventNames()));
  m.def("symbols", &symbols);
  bindResults(m);
  nb::class_<PyArray>(m, "Array")
      .def("__init__",
           [](PyArray *self, const std::string &arch, int columns, int rows, const std::map<std::string, double> &timing, int seed) {
             new (self) PyArray{std::make_shared<Array>(arch, columns, rows, Timing(timing), seed), nb::list()};
           },
           "arch"_a, "columns"_a, "rows"_a, "timing"_a, "seed"_a = 0)
      .def("add_tile",
           [](PyArray &s, int col, int row, const std::string &kind, int64_t bytes, int locks, int bds, int s2mm, int mm2s) {
             s.array->addTile(col, row, kindOf(kind), bytes, locks, bds, s2mm, mm2s);
           },
           "col"_a, "row"_a, "kind"_a, "memory_bytes"_a, "locks"_a, "bds"_a, "s2mm"_a, "mm2s"_a)
      .def("memory",
           [](nb::handle self, int col, int row) {
             Memory &memory = nb::cast<PyArray &>(self).array->memory(col, row);
             return nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>(memory.data(), {size_t(memory.size())}, self);
           },
           "col"_a, "row"_a)
      .def("memory_address", [](PyArray &s, int col, int row) { return uint64_t(uintptr_t(s.array->memory(col, row).data())); }, "col"_a, "row"_a)
      .def("add_buffer",
           [](PyArray &s, int col, int row, int64_t offset, int64_t bytes, const std::string &name) {
             checkRange(*s.array, col, row, offset, bytes);
             s.array->memory(col, row).addBuffer(offset, bytes, name);
           },
           "col"_a, "row"_a, "offset"_a, "bytes"_a, "name"_a)
      .def("mark_written",
           [](PyArray &s, int col, int row, int64_t offset, int64_t bytes) {
             checkRange(*s.array, col, row, offset, bytes);
             s.array->memory(col, row).markWritten(offset, bytes);
           },
           "col"_a, "row"_a, "offset"_a, "bytes"_a)
      .def("set_lock",
           [](PyArray &s, int col, int row, int lock, int value) {
             if (value < 0 || value > 63) throw std::invalid_argument("a lock holds 0 to 63; got " + std::to_string(value));
             s.array->lock(col, row, lock).set(value, nullptr);
           },
           "col"_a, "row"_a, "lock"_a, "value"_a)
      .def("inherit", [](PyArray &s, const PyArray &before) { s.array->inherit(*before.array); }, "before"_a)
      .def("write_bd", [](PyArray &s, int col, int row, int bd, const std::vector<Word> &words) { s.array->writeBd(col, row, bd, words); },
           "col"_a, "row"_a, "bd"_a, "words"_a)
      .def("start_channel",
           [](PyArray &s, int col, int row, int direction, int channel, int bd, int repeat, bool token) {
             s.array->startChannel(col, row, direction, channel, bd, repeat, token);
           },
           "col"_a, "row"_a, "direction"_a, "channel"_a, "bd"_a, "repeat"_a = 0, "token"_a = false)
      .def("set_channel_control",
           [](PyArray &s, int col, int row, int direction, int channel, Word word) { s.array->channel(col, row, direction, channel).setControl(word, -1); },
           "col"_a, "row"_a, "direction"_a, "channel"_a, "word"_a)
      .def("set_pad_value",
           [](PyArray &s, int col, int row, int direction, int channel, Word word) { s.array->channel(col, row, direction, channel).padValue = word; },
           "col"_a, "row"_a, "direction"_a, "channel"_a, "word"_a)
      .def("add_route",
           [](PyArray &s, const PyPort &source, std::optional<std::pair<uint32_t, uint32_t>> packet, const std::vector<PyDest> &dests) {
             addRoute(*s.array, source, packet, dests);
           },
           "source"_a, "packet"_a.none(), "dests"_a)
      .def("add_cascade",
           [](PyArray &s, std::pair<int, int> src, std::pair<int, int> dst) { s.array->addCascade(src.first, src.second, dst.first, dst.second); },
           "src"_a, "dst"_a)
      .def("add_core",
           [](PyArray &s, int col, int row, uint64_t entry, uint64_t args, int64_t stack) { s.array->addCore(col, row, entry, args, stack); },
           "col"_a, "row"_a, "entry"_a, "args"_a, "stack_bytes"_a = 0)
      .def("core_steps", // (step of orders.h, lock or channel, amount, site); None where there were too many
           [](PyArray &s, int col, int row) -> nb::object {
             auto &met = s.array->cores.at({col, row})->met;
             if (met.size() == Core::kMostMet) return nb::none();
             nb::list steps;
             for (auto &m : met) steps.append(nb::make_tuple(m.op, m.what, m.amount, m.site));
             return steps;
           },
           "col"_a, "row"_a)
      .def("time_only", [](PyArray &s, bool steady) { s.array->timeOnly(steady); }, "steady"_a)
      .def("add_script",
           [](PyArray &s, int col, int row, nb::ndarray<const int64_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu> steps) {
             auto *at = reinterpret_cast<const ScriptStep *>(steps.data());
             s.array->addScript(col, row, Script(at, at + steps.shape(0)));
           },
           "col"_a, "row"_a, "steps"_a)
      .def("add_region", [](PyArray &s, int region, int64_t macs, int64_t vector) { s.array->addRegion(region, macs, vector); }, "region"_a,
           "macs"_a, "vector_cycles"_a)
      .def("add_kernel", [](PyArray &s, int index, const Core::Kernel &call) { s.array->kernels[index] = call; }, "index"_a, "call"_a)
      .def("add_host_buffer", &addHostBuffer, "index"_a, "data"_a.noconvert())
      .def("host_writes",
           [](nb::handle self, int index) {
             auto &writes = hostBuffer(nb::cast<PyArray &>(self), index).writes;
             return nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>(writes.data(), {writes.size()}, self);
           },
           "index"_a)
      .def("host_read", [](PyArray &s, int index) { return hostBuffer(s, index).read; }, "index"_a)
      .def("host_open", [](PyArray &s, int index) { return hostBuffer(s, index).open; }, "index"_a)
      .def("host_written_again", [](PyArray &s, int index) { return hostBuffer(s, index).again; }, "index"_a)
      .def("load",
           [](PyArray &s, nb::ndarray<const Word, nb::ndim<1>, nb::c_contig, nb::device::cpu> words) {
             s.array->controller.program = decodeWords(words.data(), int64_t(words.size()));
           },
           "words"_a)
      .def("hold_first_tasks", [](PyArray &s) { s.array->controller.holdFirstTasks(); })
      .def("set_scratchpad", [](PyArray &s, const std::vector<Word> &words) { s.array->controller.scratchpad = words; }, "words"_a)
      .def("record_origins", [](PyArray &s) { s.array->recordOrigins(); })
      .def("origin", [](PyArray &s, int argument, int64_t offset) { return s.array->originOf(argument, offset); }, "argument"_a, "offset"_a)
      .def("tile_origin", [](PyArray &s, int col, int row, int64_t offset) {
        return s.array->machine->origins.trace(s.array->memory(col, row).origins, offset);
      }, "col"_a, "row"_a, "offset"_a)
      .def("run", &run, "max_cycles"_a = int64_t(1) << 60, "strict"_a = true, "trace"_a = false, "progress"_a.none() = nb::none());
}

} // namespace sim
