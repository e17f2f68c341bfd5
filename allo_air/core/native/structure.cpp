#include "api.h"
#include <unordered_map>

namespace {

// Writes what an operation is, value by value: two that are written alike differ at most in values from outside, and in places.
class Structure {
public:
  Words words;
  virtual ~Structure() = default;
  void run(Handle operation) {
    number(operation);
    write(operation);
  }

protected:
  void add(uintptr_t word) { words.push_back(word); }
  void add(Handle handle) { add(reinterpret_cast<uintptr_t>(handle.pointer)); }

  virtual bool is_left_out(Handle) const { return false; }
  virtual void begin(Handle) {}
  virtual void write_outer(Handle) { add(0); }
  virtual void write_operand(Handle operation, intptr_t position) {
    Handle value = api.operand(operation, position);
    if (auto known = numbers.find(value.pointer); known != numbers.end())
      add(known->second);
    else
      write_outer(value);
  }

private:
  std::unordered_map<void *, uintptr_t> numbers; // of results, arguments and blocks inside; from 1 on
  void name(Handle handle) { numbers.emplace(handle.pointer, numbers.size() + 1); }

  void number(Handle operation) {
    if (is_left_out(operation))
      return;
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
    begin(operation);
    if (is_left_out(operation))
      return;
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
      write_operand(operation, i);
      add(api.type_of(api.operand(operation, i)));
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

// Tells values from outside apart; places count.
class WithOuter : public Structure {
public:
  std::vector<Handle> outer;

protected:
  void begin(Handle operation) override { add(api.location(operation)); }
  void write_outer(Handle value) override {
    auto [found, is_new] = known.emplace(value.pointer, outer.size());
    if (is_new) {
      outer.push_back(value);
      add(api.is_result(value) ? api.name_of(api.result_owner(value)) : Handle{nullptr});
    }
    add(0);
    add(found->second);
  }

private:
  std::unordered_map<void *, uintptr_t> known;
};

// Leaves integer constants out: they are written where they are used, or, of free operations, kept apart.
class WithoutNumbers : public Structure {
public:
  WithoutNumbers(Handle context, const Names &free)
      : free(free), constant(api.identifier(context, {"arith.constant", 14}).pointer),
        value(api.identifier(context, {"value", 5}).pointer) {}
  Words apart;

protected:
  bool is_left_out(Handle operation) const override {
    if (api.name_of(operation).pointer != constant)
      return false;
    Handle type = api.type_of(api.result(operation, 0));
    return api.is_index(type) || api.is_integer(type);
  }
  void begin(Handle) override { ++begun; }
  void write_operand(Handle operation, intptr_t position) override {
    Handle operand = api.operand(operation, position);
    if (!api.is_result(operand) || !is_left_out(api.result_owner(operand)))
      return Structure::write_operand(operation, position);
    add(~uintptr_t(0)); // no value
    uintptr_t number = number_of(api.result_owner(operand));
    if (holds(free, api.name_of(operation)))
      apart.insert(apart.end(), {begun - 1, static_cast<uintptr_t>(position), number});
    else
      add(number);
  }

private:
  const Names &free;
  void *constant, *value;
  uintptr_t begun = 0;

  uintptr_t number_of(Handle operation) const {
    for (intptr_t i = 0, count = api.count_attributes(operation); i < count; ++i)
      if (NamedAttribute each = api.attribute(operation, i); each.name.pointer == value)
        return reinterpret_cast<uintptr_t>(each.attribute.pointer);
    return 0;
  }
};

} // namespace

Words structure(Handle operation) {
  Structure found;
  found.run(operation);
  return found.words;
}

Outline outline(Handle operation) {
  WithOuter found;
  found.run(operation);
  return {found.words, found.outer};
}

Skeleton skeleton(Handle operation, const Names &free) {
  WithoutNumbers found(api.context_of(operation), free);
  found.run(operation);
  return {found.words, found.apart};
}

void remap(Handle operation, const std::vector<Handle> &from, const std::vector<Handle> &to) {
  std::unordered_map<void *, Handle> replaced;
  for (size_t i = 0; i < from.size(); ++i)
    replaced.emplace(from[i].pointer, to[i]);
  api.walk(
      operation,
      [](Handle inner, void *data) {
        auto &known = *static_cast<std::unordered_map<void *, Handle> *>(data);
        for (intptr_t i = 0, count = api.count_operands(inner); i < count; ++i)
          if (auto found = known.find(api.operand(inner, i).pointer); found != known.end())
            api.set_operand(inner, i, found->second);
        return 0;
      },
      &replaced, Order::pre);
}
