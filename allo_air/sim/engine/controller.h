// The control processor: executes instruction words one by one against the register map.
#pragma once
#include "network.h"
#include "words.h"
#include <optional>

namespace sim {

class Controller : public Stepped, public Party {
public:
  explicit Controller(Machine &machine);
  std::vector<Instruction> program;
  std::vector<Word> scratchpad; // what the host gives for this run, by index
  void begin();
  void step(Cycle now) override;
  // A write of one register of a tile, by the instruction words or by a control packet.
  void writeRegister(Tile &tile, uint32_t offset, Word value, Word mask, Party &by, const Actor &actor);
  std::optional<Word> readRegister(Tile &tile, uint32_t offset, Party &by, const Actor &actor);
  bool done() const { return counters.doneCycle >= 0; }
  bool waiting() const { return waiting_; }
  void holdFirstTasks() { holds_ = true; } // until the program waits for the first time
  Tokens::Key awaited() const { return awaited_; }
  Channel *channel(const Tokens::Key &key) const; // null where there is none
  Actor actor() const { return {-1, -1, "controller", -1, -1, -1, site}; }
  size_t instruction() const { return at_; }
  void skip(int64_t instructions, double busy) { // that would only do again what was done
    at_ += size_t(instructions);
    counters.instructions += instructions, counters.busy += busy;
  }
  Cycle waitsSince = 0;
  struct {
    int64_t instructions = 0, syncStall = 0, syncs = 0, pushes = 0, ignored = 0;
    double busy = 0;
    Cycle doneCycle = -1;
  } counters;

private:
  double cost(const Instruction &i) const;
  size_t firstTasks() const;
  void execute(const Instruction &i);
  bool sync(const Instruction &i, Cycle now);
  void joinPorts(const Tokens::Key &key);
  void update(const Instruction &i);
  void write(uint32_t address, Word value, Word mask);
  void bad(const Actor &actor, uint32_t address, const std::string &detail);
  void writeChannel(Tile &tile, Channel &channel, bool queue, Word value, Word mask, Party &by, const Actor &actor);
  void writeBdWord(Tile &tile, int bd, int word, Word value, Word mask, const Actor &actor);

  Machine &machine_;
  size_t at_ = 0, held_ = 0; // instructions before held_ are paid, and done together
  int syncStep_ = 0;
  bool paid_ = false, waiting_ = false, holds_ = false;
  double time_ = 0;
  Tokens::Key awaited_{};
};

} // namespace sim
