#include "waiting.h"
#include <unordered_map>
#include <unordered_set>

namespace {

// What of transfers, allocations and deallocations meets, as `passes/canonical/_false_dependences.py` asks it.
class False : Asking {
public:
  False(const std::vector<Handle> &ops, const Waiting &names, const Touching &touching)
      : Asking(ops, names), touching(touching), execute(name("air.execute")), execute_end(name("air.execute_terminator")),
        rank_kind(name("air.rank")),
        alloc(name("memref.alloc")), stack_alloc(name("memref.alloca")), dealloc(name("memref.dealloc")), channel(name("chan_name")) {}

  intptr_t first() {
    std::unordered_map<void *, size_t> made;
    for (size_t i = 0; i < ops.size(); ++i)
      if (api.count_results(ops[i]))
        made.emplace(api.result(ops[i], 0).pointer, i);
    for (size_t i = 0; i < ops.size(); ++i)
      if (has_false(ops[i], made))
        return static_cast<intptr_t>(i);
    return -1;
  }

private:
  const Touching &touching;
  Handle execute, execute_end, rank_kind, alloc, stack_alloc, dealloc, channel;

  struct Touches {
    bool is_known = false, is_allocation = false;
    Handle read{nullptr}, written{nullptr}, channel{nullptr}, end{nullptr};
  };
  std::unordered_map<void *, Touches> known;

  bool has_false(Handle operation, const std::unordered_map<void *, size_t> &made) {
    std::vector<Handle> movable;
    std::unordered_set<void *> deps;
    for (intptr_t i = 0, count = count_deps(operation); i < count; ++i) {
      Handle token = api.operand(operation, i);
      auto found = made.find(token.pointer);
      if (deps.insert(token.pointer).second && found != made.end())
        movable.push_back(ops[found->second]);
    }
    if (movable.empty() || deps.size() > touching.most_deps)
      return false;
    const Touches &mine = touched(operation);
    if (!mine.is_known || mine.is_allocation)
      return false;
    for (Handle other : movable)
      if (const Touches &its = touched(other); its.is_known && !may_meet(mine, its))
        return api.count_results(operation) && is_only_waited_for(api.result(operation, 0), touching.most_uses);
    return false;
  }

  const Touches &touched(Handle operation) {
    auto [found, is_new] = known.try_emplace(operation.pointer);
    if (is_new)
      found->second = touches(operation);
    return found->second;
  }

  Touches touches(Handle operation) const {
    for (intptr_t i = 0, count = api.count_attributes(operation); i < count; ++i)
      if (!holds(touching.plain, api.attribute(operation, i).name))
        return {};
    Handle kind = api.name_of(operation);
    if (is(kind, execute))
      return touches_of_lifetime(operation);
    for (const Moved &moved : touching.moved) {
      if (moved.name != kind.pointer)
        continue;
      Touches found;
      found.is_known = true;
      if (moved.read >= 0)
        found.read = root_of(api.operand(operation, segments(operation, moved.read)));
      if (moved.written >= 0)
        found.written = root_of(api.operand(operation, segments(operation, moved.written)));
      found.channel = attribute(operation, channel);
      found.end = kind;
      return found;
    }
    return {};
  }

  Touches touches_of_lifetime(Handle operation) const {
    Handle block = api.first_block(api.region(operation, 0));
    Handle first = block.pointer ? api.first_operation(block) : Handle{nullptr};
    Handle second = first.pointer ? api.next_operation(first) : Handle{nullptr};
    if (!second.pointer || api.next_operation(second).pointer || api.next_block(block).pointer)
      return {};
    Touches found;
    found.is_allocation = is(api.name_of(first), alloc);
    found.is_known = found.is_allocation || is(api.name_of(first), dealloc);
    if (found.is_known)
      found.written = found.is_allocation ? api.result(first, 0) : root_of(api.operand(first, 0));
    return found;
  }

  bool may_meet(const Touches &a, const Touches &b) const {
    if (a.channel.pointer && is(a.channel, b.channel) && is(a.end, b.end))
      return true;
    auto meet = [&](Handle one, Handle other) { return one.pointer && other.pointer && !are_distinct(one, other); };
    return meet(a.written, b.written) || meet(a.written, b.read) || meet(a.read, b.written);
  }

  Handle root_of(Handle memref) const {
    while (true) {
      Handle outer{nullptr};
      if (api.is_result(memref) && holds(touching.views, api.name_of(api.result_owner(memref))))
        outer = api.operand(api.result_owner(memref), 0);
      else
        outer = stands_for(memref);
      if (!outer.pointer)
        return memref;
      memref = outer;
    }
  }

  Handle stands_for(Handle value) const {
    if (!api.is_result(value)) {
      Handle around = api.parent_of_block(api.argument_owner(value));
      if (!around.pointer || !holds(touching.hierarchies, api.name_of(around)))
        return {nullptr};
      intptr_t before = is(api.name_of(around), rank_kind) ? 2 : 1; // a rank's universe stands in front of its sizes
      intptr_t deps = segments(around, before), rank = segments(around, before + 1) - deps;
      intptr_t at = static_cast<intptr_t>(api.argument_number(value)) - rank;
      return at < 0 ? Handle{nullptr} : api.operand(around, deps + at);
    }
    Handle owner = api.result_owner(value);
    auto number = static_cast<intptr_t>(api.result_number(value));
    if (!is(api.name_of(owner), execute) || number == 0)
      return {nullptr};
    Handle block = api.first_block(api.region(owner, 0));
    Handle last = block.pointer ? last_of(block) : Handle{nullptr};
    return last.pointer && is(api.name_of(last), execute_end) ? api.operand(last, number - 1) : Handle{nullptr};
  }

  bool are_distinct(Handle a, Handle b) const {
    if (is(a, b))
      return false;
    if (is_buffer(a) && is_buffer(b))
      return true;
    Handle types[] = {api.type_of(a), api.type_of(b)};
    if (!api.is_memref(types[0]) || !api.is_memref(types[1]))
      return false;
    Handle spaces[] = {api.memory_space(types[0]), api.memory_space(types[1])};
    int64_t numbers[] = {0, 0};
    for (int i : {0, 1})
      if (spaces[i].pointer) {
        if (!api.is_integer_attribute(spaces[i]))
          return !is(spaces[0], spaces[1]);
        numbers[i] = api.integer(spaces[i]);
      }
    return numbers[0] != numbers[1];
  }

  bool is_buffer(Handle root) const {
    if (!api.is_result(root))
      return false;
    Handle kind = api.name_of(api.result_owner(root));
    return is(kind, alloc) || is(kind, stack_alloc);
  }
};

} // namespace

intptr_t first_false(const std::vector<Handle> &ops, const Waiting &names, const Touching &touching) {
  return ops.empty() ? -1 : False(ops, names, touching).first();
}
