// Trace events by the names of the hardware's trace units.
#pragma once
#include "types.h"
#include <string>
#include <vector>

namespace sim {

enum CoreEvent : int {
  kEvent0, kEvent1, kVector, kMemoryStall, kStreamStall, kLockStall, kCascadeStall, kLockAcquire, kLockRelease,
  kStreamGet, kStreamPut, kCascadeGet, kCascadePut, kCoreEvents
};
enum DmaEvent : int { kStartTask, kFinishedBd, kFinishedTask, kStalledLock, kStarvation, kPortRunning, kTlastSent, kDmaEvents };
constexpr int kChannels = 6; // of the largest tile, per direction

inline int dmaEvent(int direction, int channel, DmaEvent e) { return kCoreEvents + (direction * kChannels + channel) * kDmaEvents + e; }

inline std::vector<std::string> eventNames() {
  std::vector<std::string> names = {"INSTR_EVENT_0", "INSTR_EVENT_1", "INSTR_VECTOR", "MEMORY_STALL", "STREAM_STALL",
                                    "LOCK_STALL",    "CASCADE_STALL", "LOCK_ACQUIRE", "LOCK_RELEASE",
                                    "INSTR_STREAM_GET", "INSTR_STREAM_PUT", "INSTR_CASCADE_GET", "INSTR_CASCADE_PUT"};
  for (const char *dir : {"S2MM", "MM2S"})
    for (int ch = 0; ch < kChannels; ++ch) {
      std::string port = std::string(dir) + "_" + std::to_string(ch), dma = "DMA_" + port;
      names.insert(names.end(), {dma + "_START_TASK", dma + "_FINISHED_BD", dma + "_FINISHED_TASK", dma + "_STALLED_LOCK",
                                 dma + (dir[0] == 'S' ? "_STREAM_STARVATION" : "_STREAM_BACKPRESSURE"), "PORT_RUNNING_" + port, "PORT_TLAST_" + port});
    }
  return names;
}

class EventSink { // the array's own trace units, where some trace
public:
  virtual ~EventSink() = default;
  virtual void event(Cycle at, int col, int row, int unit, int number, int phase) = 0;
};

struct Trace {
  bool on = false;
  EventSink *sink = nullptr;
  struct Event {
    Cycle cycle;
    int16_t col, row;
    int8_t unit, phase;
    int16_t event;
    int32_t detail;
  };
  std::vector<Event> events;
  enum Phase { kBegin, kEnd, kInstant };
  void add(Cycle cycle, int col, int row, int unit, int event, Phase phase, int detail) {
    keep(cycle, col, row, unit, event, phase, detail);
    tell(cycle, col, row, unit, event, phase);
  }
  void keep(Cycle cycle, int col, int row, int unit, int event, Phase phase, int detail) {
    if (on) events.push_back({cycle, int16_t(col), int16_t(row), int8_t(unit), int8_t(phase), int16_t(event), detail});
  }
  void tell(Cycle cycle, int col, int row, int unit, int event, Phase phase) {
    if (sink) sink->event(cycle, col, row, unit, event, phase);
  }
};

} // namespace sim
