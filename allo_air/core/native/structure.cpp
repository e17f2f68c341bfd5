#include "api.h"
#include <unordered_map>

namespace {

// Writes what an operation is, value by value: two that are written alike differ at most in values from outside, and in places.
class Structure {
public:
  explicit Structure(Handle operation) {
    number(operation);
    write(operation);
  }
  Words words;

private:
  std::unordered_map<void *, uintptr_t> numbers; // of results, arguments and blocks inside; from 1 on
  void add(uintptr_t word) { words.push_back(word); }
  void add(Handle handle) { add(reinterpret_cast<uintptr_t>(handle.pointer)); }
  void name(Handle handle) { numbers.emplace(handle.pointer, numbers.size() + 1); }

  void number(Handle operation) {
    for (intptr_t i = 0, count = api.count_results(operation); i < count; ++i)
      name(api.result(operation, i));
    each_block(operation, [&](Handle block, intptr_t) {
      name(block);
      for (intptr_t i = 0, count = api.count_arguments(block); i < count; ++i)
        name(api.argument(block, i));
      for (Handle inner = api.first_operation(block); inner.pointer; inner = api.next_operation(inner))
        number(inner);
    });
  }

  void write(Handle operation) {
    add(api.name_of(operation));
    intptr_t count = api.count_attributes(operation);
    add(static_cast<uintptr_t>(count));
    for (intptr_t i = 0; i < count; ++i) {
      NamedAttribute found = api.attribute(operation, i);
      add(found.name);
      add(found.attribute);
    }
    count = api.count_operands(operation);
    add(static_cast<uintptr_t>(count));
    for (intptr_t i = 0; i < count; ++i) {
      Handle value = api.operand(operation, i);
      auto known = numbers.find(value.pointer);
      add(known == numbers.end() ? 0 : known->second);
      add(api.type_of(value));
    }
    count = api.count_results(operation);
    add(static_cast<uintptr_t>(count));
    for (intptr_t i = 0; i < count; ++i)
      add(api.type_of(api.result(operation, i)));
    count = api.count_successors(operation);
    add(static_cast<uintptr_t>(count));
    for (intptr_t i = 0; i < count; ++i) {
      auto known = numbers.find(api.successor(operation, i).pointer);
      add(known == numbers.end() ? 0 : known->second);
    }
    add(static_cast<uintptr_t>(api.count_regions(operation)));
    each_block(operation, [&](Handle block, intptr_t region) {
      add(static_cast<uintptr_t>(region));
      intptr_t arguments = api.count_arguments(block);
      add(static_cast<uintptr_t>(arguments));
      for (intptr_t i = 0; i < arguments; ++i)
        add(api.type_of(api.argument(block, i)));
      for (Handle inner = api.first_operation(block); inner.pointer; inner = api.next_operation(inner))
        write(inner);
      add(0); // no name
    });
    add(~uintptr_t(0)); // no region
  }
};

} // namespace

Words structure(Handle operation) { return Structure(operation).words; }
