// The words of a BD, whose accesses enter the shadow of a memory together: when the BD ends, or before someone else comes near.
#pragma once
#include "memory.h"
#include "walk.h"

namespace sim {

class Claim {
public:
  Claim(Party &party, bool writes) : party_(party), writes_(writes) {}
  bool held() const { return memory_ != nullptr; }
  // Takes the words of `walk`, which begins. False where their accesses are to be checked one by one: there may be something to tell of
  // them, someone else's claim lies there, or they are no stretches.
  bool take(Memory &memory, const Walk &walk);
  void moved(int64_t words) { moved_ += words; }
  void settle(Cycle now); // what has moved enters the shadow, and what will is checked word by word
  // Whether an access of words `first` to `last` has to come after what has moved.
  bool meets(int64_t first, int64_t last, bool write) const { return (write || writes_) && first <= area_.last && area_.first <= last; }

private:
  void drop();
  Party &party_;
  const bool writes_;
  Memory *memory_ = nullptr;
  int64_t site_ = -1, moved_ = 0;
  Walk walk_;
  Area area_;
};

} // namespace sim
