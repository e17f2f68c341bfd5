#include "api.h"
#include <unordered_set>

namespace {

// Looks at the operands of an operation and those inside, each value once.
class Search {
public:
  virtual ~Search() = default;
  void run(Handle operation) {
    api.walk(
        operation,
        [](Handle inner, void *data) {
          static_cast<Search *>(data)->look_at(inner);
          return 0;
        },
        this, Order::pre);
  }
  Takers found;

protected:
  virtual bool is_skipped(Handle) { return false; }
  virtual bool is_wanted(Handle value) = 0;
  std::unordered_set<void *> known;

private:
  void look_at(Handle operation) {
    if (is_skipped(operation))
      return;
    for (intptr_t i = 0, count = api.count_operands(operation); i < count; ++i) {
      Handle value = api.operand(operation, i);
      if (!is_wanted(value) || !known.insert(value.pointer).second)
        continue;
      found.operations.push_back(operation);
      found.places.push_back(i);
    }
  }
};

class Memrefs : public Search {
public:
  explicit Memrefs(const Names &skipped) : skipped(skipped) {}

protected:
  bool is_skipped(Handle operation) override { return holds(skipped, api.name_of(operation)); }
  bool is_wanted(Handle value) override {
    Handle type = api.type_of(value);
    return api.is_memref(type) || api.is_unranked_memref(type);
  }

private:
  const Names &skipped;
};

class Outer : public Search {
public:
  explicit Outer(Handle operation) {
    api.walk(
        operation,
        [](Handle inner, void *data) {
          auto &made = *static_cast<std::unordered_set<void *> *>(data);
          for (intptr_t i = 0, count = api.count_results(inner); i < count; ++i)
            made.insert(api.result(inner, i).pointer);
          each_block(inner, [&](Handle block, intptr_t) {
            for (intptr_t i = 0, count = api.count_arguments(block); i < count; ++i)
              made.insert(api.argument(block, i).pointer);
          });
          return 0;
        },
        &made, Order::pre);
  }

protected:
  bool is_wanted(Handle value) override { return !made.count(value.pointer); }

private:
  std::unordered_set<void *> made;
};

} // namespace

Takers takers_of_memrefs(Handle operation, const Names &skipped) {
  Memrefs search(skipped);
  search.run(operation);
  return search.found;
}

Takers takers_of_outer(Handle operation) {
  Outer search(operation);
  search.run(operation);
  return search.found;
}
