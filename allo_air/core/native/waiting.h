// Questions about operations that wait for tokens.
#pragma once
#include "api.h"
#include <cstring>

inline bool is(Handle a, Handle b) { return a.pointer == b.pointer; }

// The last operation of a block; null in an empty one.
inline Handle last_of(Handle block) {
  Handle last = api.terminator(block);
  for (Handle next = last.pointer ? Handle{nullptr} : api.first_operation(block); next.pointer; next = api.next_operation(next))
    last = next;
  return last;
}

// What tells who waits for whom: operations that wait, those all of whose operands are tokens, and the one that only joins.
class Asking {
public:
  Asking(const std::vector<Handle> &ops, const Waiting &names)
      : ops(ops), names(names), context(api.context_of(ops.front())), sizes(name("operandSegmentSizes")), number(name("id")) {}

protected:
  const std::vector<Handle> &ops;
  const Waiting &names;
  Handle context;

  Handle name(const char *text) const { return api.identifier(context, {text, std::strlen(text)}); }
  bool waits(Handle operation) const { return holds(names.waiting, api.name_of(operation)); }

  Handle attribute(Handle operation, Handle wanted) const {
    for (intptr_t i = 0, count = api.count_attributes(operation); i < count; ++i)
      if (NamedAttribute each = api.attribute(operation, i); is(each.name, wanted))
        return each.attribute;
    return {nullptr};
  }

  // The sum of the first entries of the segment sizes.
  intptr_t segments(Handle operation, intptr_t count) const {
    Handle found = attribute(operation, sizes);
    intptr_t sum = 0;
    for (intptr_t i = 0; found.pointer && i < count; ++i)
      sum += api.i32_element(found, i);
    return sum;
  }

  intptr_t count_deps(Handle operation) const {
    return holds(names.only_deps, api.name_of(operation)) ? api.count_operands(operation) : segments(operation, 1);
  }

  bool is_wait(Handle operation) const {
    if (!is(api.name_of(operation), {names.join}))
      return false;
    for (intptr_t i = 0, count = api.count_attributes(operation); i < count; ++i)
      if (!is(api.attribute(operation, i).name, number))
        return false;
    return true;
  }

  bool waits(Handle use_owner, intptr_t position) const { return waits(use_owner) && position < count_deps(use_owner); }

  // Whether the uses of a value are at most so many, and all wait.
  bool is_only_waited_for(Handle value, size_t most) const {
    size_t count = 0;
    for (Handle use = api.first_use(value); use.pointer; use = api.next_use(use))
      if (++count > most || !waits(api.use_owner(use), api.use_number(use)))
        return false;
    return true;
  }

private:
  Handle sizes, number;
};
