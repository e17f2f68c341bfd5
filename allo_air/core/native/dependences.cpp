#include "api.h"
#include <unordered_map>

namespace {

// Writes handles of MLIR's: types, attributes and names as they are, and what has a place in the program by numbers, in the order in
// which it is come upon: programs that are built alike are written alike. Constants are written where they are used.
class Writer {
public:
  Words words;

protected:
  Writer(Handle context, const Names &ignored)
      : ignored(ignored), constant(api.identifier(context, {"arith.constant", 14}).pointer) {}

  void add(uintptr_t word) { words.push_back(word); }
  void add(Handle handle) { add(reinterpret_cast<uintptr_t>(handle.pointer)); }
  bool number(Handle handle) { // whether it is new
    auto [found, is_new] = numbers.emplace(handle.pointer, numbers.size() + 1);
    add(found->second);
    return is_new;
  }
  bool is_constant(Handle operation) const { return api.name_of(operation).pointer == constant; }

  void write_attributes(Handle operation) {
    for (intptr_t i = 0, count = api.count_attributes(operation); i < count; ++i) {
      NamedAttribute found = api.attribute(operation, i);
      if (holds(ignored, found.name))
        continue;
      add(found.name);
      add(found.attribute);
    }
    add(0);
  }

private:
  const Names &ignored;
  void *constant;
  std::unordered_map<void *, uintptr_t> numbers;
};

// Writes the operations of the `wanted` names, where they stand, who uses their first results, whether anything uses the others and
// whether their bodies use their arguments; what the operands of all that, but indices, come from; and of what holds blocks what these
// yield, or do where it is one thing. Attributes of the `ignored` names are left out.
class Dependences : Writer {
public:
  Dependences(Handle root, const Names &wanted, const Names &ignored)
      : Writer(api.context_of(root), ignored), wanted(wanted) {
    api.walk(
        root,
        [](Handle operation, void *self) {
          auto &mine = *static_cast<Dependences *>(self);
          if (holds(mine.wanted, api.name_of(operation)))
            mine.seed(operation);
          return 0;
        },
        this, Order::pre);
    for (size_t i = 0; i < todo.size(); ++i) // grows meanwhile
      write(todo[i]);
  }
  using Writer::words;

private:
  const Names &wanted;
  std::vector<Handle> todo;

  void name(Handle operation) {
    if (!operation.pointer)
      add(0);
    else if (number(operation))
      todo.push_back(operation);
  }

  void seed(Handle operation) {
    name(operation);
    number(api.block_of(operation));
    for (Handle around = api.parent(operation); around.pointer; around = api.parent(around)) {
      add(api.name_of(around));
      number(around);
      number(api.block_of(around));
    }
    add(0);
    for (intptr_t i = 0, count = api.count_results(operation); i < count; ++i) {
      Handle use = api.first_use(api.result(operation, i));
      add(use.pointer != nullptr);
      for (; i == 0 && use.pointer; use = api.next_use(use)) {
        name(api.use_owner(use));
        add(api.use_number(use));
      }
      add(0);
    }
    each_block(operation, [&](Handle block, intptr_t) {
      for (intptr_t i = 0, count = api.count_arguments(block); i < count; ++i)
        add(api.first_use(api.argument(block, i)).pointer != nullptr);
    });
    add(0);
  }

  void write(Handle operation) {
    add(api.name_of(operation));
    write_attributes(operation);
    for (intptr_t i = 0, count = api.count_operands(operation); i < count; ++i)
      write_operand(api.operand(operation, i));
    add(0);
    for (intptr_t i = 0, count = api.count_results(operation); i < count; ++i)
      add(api.type_of(api.result(operation, i)));
    each_block(operation, [&](Handle block, intptr_t) {
      Handle first = api.first_operation(block), last = first;
      intptr_t count = 0;
      for (Handle next = first; next.pointer; next = api.next_operation(next), ++count)
        last = next;
      name(last);
      if (count == 2)
        name(first);
    });
    add(0);
  }

  void write_operand(Handle value) {
    Handle type = api.type_of(value);
    add(type);
    if (api.is_index(type)) // no token, and no memory
      return;
    if (!api.is_result(value)) {
      Handle block = api.argument_owner(value);
      name(api.parent_of_block(block));
      number(block);
      add(api.argument_number(value));
      return;
    }
    name(api.result_owner(value));
    add(api.result_number(value));
  }
};

// Writes an operation and those of the `through` names that make its operands; what others make is told apart.
class Access : Writer {
public:
  Access(Handle operation, const Names &through, const Names &ignored)
      : Writer(api.context_of(operation), ignored), through(through) {
    write(operation);
  }
  using Writer::words;

private:
  const Names &through;

  void write(Handle operation) {
    add(api.name_of(operation));
    write_attributes(operation);
    intptr_t count = api.count_operands(operation);
    add(static_cast<uintptr_t>(count));
    for (intptr_t i = 0; i < count; ++i) {
      Handle value = api.operand(operation, i);
      bool made = api.is_result(value) && (is_constant(api.result_owner(value)) || holds(through, api.name_of(api.result_owner(value))));
      add(made);
      add(api.type_of(value));
      if (made)
        write(api.result_owner(value));
      else
        number(value);
    }
    add(static_cast<uintptr_t>(api.count_results(operation)));
  }
};

} // namespace

Words dependences(Handle root, const Names &wanted, const Names &ignored) {
  return Dependences(root, wanted, ignored).words;
}

Words access(Handle operation, const Names &through, const Names &ignored) {
  return Access(operation, through, ignored).words;
}
