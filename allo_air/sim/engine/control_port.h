// A tile's control port: executes the control packets that arrive (npu-instructions.md 3.5), and sends the answers of reads.
#pragma once
#include "controller.h"

namespace sim {

class ControlPort : public Stepped, public Party {
public:
  ControlPort(Machine &machine, Controller &controller, Tile &tile, Sink &sink, Stream *answers);
  void take(Word word, bool last);
  void step(Cycle now) override; // answers leave as far as there is room
  Actor sender() const;          // whoever sent the packet

private:
  void open(Word header, bool last);
  void write(Word data, bool last);
  void answer();
  void bad(const std::string &detail);
  Machine &machine_;
  Controller &controller_;
  Tile &tile_;
  Sink &sink_;
  Stream *answers_;
  struct Answer {
    Word word;
    bool last;
    Clock clock;
  };
  std::deque<Answer> pending_;
  Word address_ = 0, left_ = 0, beats_ = 0, id_ = 0;
  bool skipping_ = false; // to the end of a packet that was not understood
};

} // namespace sim
