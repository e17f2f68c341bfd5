#include "symbols.h"
#include "core.h"

using sim::currentCore;

extern "C" {
static void useLock(int32_t handle, int32_t action, int32_t value, int32_t site) {
  currentCore->site = site;
  currentCore->useLock(handle, action, value);
}
static void work(int32_t region, int64_t times, int64_t cycles) { currentCore->work(region, times, cycles); }
static void readRange(void *p, int64_t bytes, int32_t site) {
  currentCore->site = site;
  currentCore->touch(p, bytes, false);
}
static void writeRange(void *p, int64_t bytes, int32_t site) {
  currentCore->site = site;
  currentCore->touch(p, bytes, true);
}
static void readStrided(void *p, int64_t bytes, int64_t count, int64_t stride, int32_t site) {
  for (int64_t i = 0; i < count; ++i) readRange(static_cast<char *>(p) + i * stride, bytes, site);
}
static void writeStrided(void *p, int64_t bytes, int64_t count, int64_t stride, int32_t site) {
  for (int64_t i = 0; i < count; ++i) writeRange(static_cast<char *>(p) + i * stride, bytes, site);
}
static void outOfBounds(int32_t site, int64_t index, int64_t size) {
  currentCore->site = site;
  currentCore->outOfBounds(index, size);
}
static void streamGet(int32_t channel, void *p, int32_t words, int32_t site) {
  currentCore->site = site;
  currentCore->get(channel, static_cast<sim::Word *>(p), words);
}
static void streamPut(int32_t channel, void *p, int32_t words, int32_t site) {
  currentCore->site = site;
  currentCore->put(channel, static_cast<sim::Word *>(p), words, false, 0);
}
static void streamPutPacket(int32_t channel, int32_t header, void *p, int32_t words, int32_t site) {
  currentCore->site = site;
  currentCore->put(channel, static_cast<sim::Word *>(p), words, true, sim::Word(header));
}
static void cascadeGet(void *p, int32_t site) {
  currentCore->site = site;
  currentCore->cascadeGet(p);
}
static void cascadePut(void *p, int32_t site) {
  currentCore->site = site;
  currentCore->cascadePut(p);
}
static void event(int32_t id) { currentCore->event(id); }
static void kernel(int32_t index, void **args, int32_t n, int32_t site) {
  currentCore->site = site;
  currentCore->kernel(index, args, n);
}
}

namespace sim {

std::map<std::string, uint64_t> symbols() {
  auto address = [](auto *f) { return uint64_t(reinterpret_cast<uintptr_t>(f)); };
  return {{"allo_sim_use_lock", address(useLock)},
          {"allo_sim_work", address(work)},
          {"allo_sim_read", address(readRange)},
          {"allo_sim_write", address(writeRange)},
          {"allo_sim_read_strided", address(readStrided)},
          {"allo_sim_write_strided", address(writeStrided)},
          {"allo_sim_out_of_bounds", address(outOfBounds)},
          {"allo_sim_stream_get", address(streamGet)},
          {"allo_sim_stream_put", address(streamPut)},
          {"allo_sim_stream_put_packet", address(streamPutPacket)},
          {"allo_sim_cascade_get", address(cascadeGet)},
          {"allo_sim_cascade_put", address(cascadePut)},
          {"allo_sim_event", address(event)},
          {"allo_sim_kernel", address(kernel)}};
}

} // namespace sim
