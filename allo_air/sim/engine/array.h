// The whole array: what the Python side builds, runs once, and reads back.
#pragma once
#include "control_port.h"
#include "core.h"
#include "event_hub.h"

namespace sim {

struct WaitInfo {
  Actor agent;
  std::string kind;
  Cycle since = 0;
  int col = -1, row = -1, lock = -1, action = -1, value = -1, wanted = -1, direction = -1, channel = -1;
  int64_t words = -1;
  std::vector<Port> ports;
};

class Steady;

class Array {
public:
  ~Array();
  Array(const std::string &arch, int columns, int rows, const Timing &timing, int seed);
  void addTile(int col, int row, TileKind kind, int64_t memoryBytes, int locks, int bds, int s2mm, int mm2s);
  Tile &tile(int col, int row);
  Memory &memory(int col, int row);
  Lock &lock(int col, int row, int id);
  Channel &channel(int col, int row, int direction, int number);
  void writeBd(int col, int row, int bd, const std::vector<Word> &words);
  // Takes over what a configuration leaves to the next: data memories, locks, BDs and the other registers that hold a value.
  void inherit(const Array &before);
  void startChannel(int col, int row, int direction, int number, int bd, int repeat, bool token);
  void addCascade(int fromCol, int fromRow, int toCol, int toRow);
  void addCore(int col, int row, uint64_t entry, uint64_t args, int64_t stackBytes);
  // A core that runs a script, in an array of timing only.
  void addScript(int col, int row, Script script);
  void addRegion(int region, int64_t macs, int64_t vectorCycles);
  void recordOrigins(); // before the run
  std::vector<Step> originOf(int argument, int64_t offset) const;
  // Before tiles are added: no data moves, and nothing is checked; with `steady`, rounds of loops are skipped.
  void timeOnly(bool steady);
  // Returns the status.
  std::string run(Cycle maxCycles, bool strict, bool trace, const std::function<bool(Cycle, int64_t)> &progress);

  std::unique_ptr<Machine> machine;
  Network network;
  Controller controller;
  EventHub events;
  std::map<std::pair<int, int>, std::unique_ptr<Core>> cores;
  std::vector<std::unique_ptr<Cascade>> cascades;
  std::vector<Region> regions;
  std::map<int, Core::Kernel> kernels;
  std::vector<WaitInfo> waits;
  Cycle cycles = 0;

private:
  struct Start {
    Channel *channel;
    Task task;
  };
  void prepare();
  void addControlPorts();
  void findTokenRoutes();
  void collectWaits();
  void judgeEnd(bool quiet);
  int columns_, rows_;
  bool ran_ = false;
  std::unique_ptr<Steady> steady_;
  std::vector<Start> starts_;
  std::vector<std::unique_ptr<ControlPort>> controlPorts_;
};

} // namespace sim
