#include "api.h"
#include <unordered_set>

namespace {

// Writes the operations of the `wanted` names, where they stand, who uses their results and whether their bodies use their
// arguments; all that those of the `whole` names hold; and what the operands of all that come from, with what loops there yield.
// Attributes of the `ignored` names are left out.
class Dependences {
public:
  Dependences(Handle root, const Names &wanted, const Names &whole, const Names &ignored)
      : wanted(wanted), whole(whole), ignored(ignored) {
    api.walk(
        root,
        [](Handle operation, void *self) {
          auto &mine = *static_cast<Dependences *>(self);
          if (holds(mine.wanted, api.name_of(operation)))
            mine.seed(operation);
          return 0;
        },
        this, Order::pre);
    while (!todo.empty()) {
      Handle operation = todo.back();
      todo.pop_back();
      write(operation);
    }
  }
  Words words;

private:
  const Names &wanted, &whole, &ignored;
  std::unordered_set<void *> known; // operations that are written or will be
  std::vector<Handle> todo;
  void add(uintptr_t word) { words.push_back(word); }
  void add(Handle handle) { add(reinterpret_cast<uintptr_t>(handle.pointer)); }

  void need(Handle operation) {
    if (operation.pointer && known.insert(operation.pointer).second)
      todo.push_back(operation);
  }

  void seed(Handle operation) {
    need(operation);
    add(operation);
    for (Handle around = api.parent(operation); around.pointer; around = api.parent(around))
      add(around);
    for (intptr_t i = 0, count = api.count_results(operation); i < count; ++i) {
      add(0);
      for (Handle use = api.first_use(api.result(operation, i)); use.pointer; use = api.next_use(use)) {
        need(api.use_owner(use));
        add(api.use_owner(use));
        add(api.use_number(use));
      }
    }
    each_block(operation, [&](Handle block, intptr_t) {
      for (intptr_t i = 0, count = api.count_arguments(block); i < count; ++i)
        add(api.first_use(api.argument(block, i)).pointer != nullptr);
    });
    if (holds(whole, api.name_of(operation)))
      api.walk(
          operation,
          [](Handle inner, void *self) {
            static_cast<Dependences *>(self)->need(inner);
            return 0;
          },
          this, Order::pre);
  }

  void write(Handle operation) {
    add(operation);
    add(api.name_of(operation));
    for (intptr_t i = 0, count = api.count_attributes(operation); i < count; ++i) {
      NamedAttribute found = api.attribute(operation, i);
      if (holds(ignored, found.name))
        continue;
      add(found.name);
      add(found.attribute);
    }
    add(0);
    for (intptr_t i = 0, count = api.count_operands(operation); i < count; ++i) {
      Handle value = api.operand(operation, i);
      add(value);
      add(api.type_of(value));
      need(api.is_result(value) ? api.result_owner(value) : api.parent_of_block(api.argument_owner(value)));
    }
    add(0);
    for (intptr_t i = 0, count = api.count_results(operation); i < count; ++i)
      add(api.type_of(api.result(operation, i)));
    each_block(operation, [&](Handle block, intptr_t) { // what it yields
      Handle last = api.first_operation(block);
      for (Handle next = last; next.pointer; next = api.next_operation(next))
        last = next;
      add(last);
      need(last);
    });
  }
};

} // namespace

Words dependences(Handle root, const Names &wanted, const Names &whole, const Names &ignored) {
  return Dependences(root, wanted, whole, ignored).words;
}
