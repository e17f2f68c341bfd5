#include "waiting.h"
#include <unordered_map>
#include <unordered_set>

namespace {

// What tokens wait for, as `Waits` in `passes/_ir/dependences.py` follows it, and who waits for what others imply.
class Indirect : Asking {
public:
  Indirect(const std::vector<Handle> &ops, const Waiting &names)
      : Asking(ops, names), loop(name("scf.for")) {}

  intptr_t first(intptr_t start) {
    for (size_t i = 0; i < ops.size(); ++i) {
      if (static_cast<intptr_t>(i) >= start && changes(ops[i]))
        return static_cast<intptr_t>(i);
      if (api.count_results(ops[i]))
        places.emplace(api.result(ops[i], 0).pointer, i);
    }
    return -1;
  }

private:
  using Tokens = std::vector<Handle>;
  static constexpr size_t NONE = ~size_t(0);

  Handle loop;
  std::unordered_map<void *, size_t> places;
  std::unordered_map<void *, Tokens> known;

  Tokens deps_of(Handle operation) const {
    Tokens found;
    for (intptr_t i = 0, count = count_deps(operation); i < count; ++i)
      found.push_back(api.operand(operation, i));
    return found;
  }

  bool changes(Handle operation) {
    bool plain = is_wait(operation), has_token = api.count_results(operation) > 0;
    Tokens old = deps_of(operation);
    if (old.empty() && !plain)
      return false;
    Tokens now = without_indirect(flat(old));
    if (plain && !has_token)
      return now.empty() || !same(now, old);
    if (plain && now.size() == 1)
      return true;
    return !same(now, old) && !(plain && is_only_waited_for(api.result(operation, 0), NONE));
  }

  static bool same(const Tokens &a, const Tokens &b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), is);
  }

  Tokens flat(const Tokens &tokens) const {
    Tokens found, todo(tokens.rbegin(), tokens.rend());
    std::unordered_set<void *> seen;
    while (!todo.empty()) {
      Handle token = todo.back();
      todo.pop_back();
      if (!seen.insert(token.pointer).second)
        continue;
      if (!is_folded(token)) {
        found.push_back(token);
        continue;
      }
      Handle join = api.result_owner(token);
      for (intptr_t i = api.count_operands(join); i-- > 0;)
        todo.push_back(api.operand(join, i));
    }
    return found;
  }

  // Whether what waits for a token takes over the list of the join that makes it.
  bool is_folded(Handle token) const {
    if (!api.is_result(token) || !is_wait(api.result_owner(token)))
      return false;
    auto joined = static_cast<size_t>(api.count_operands(api.result_owner(token)));
    size_t uses = joined > 1 ? 0 : 1;
    if (joined > 1)
      for (Handle use = api.first_use(token); use.pointer; use = api.next_use(use))
        ++uses;
    return uses == 1 || uses * joined <= names.copies;
  }

  Tokens without_indirect(const Tokens &tokens) {
    if (tokens.size() < 2)
      return tokens;
    intptr_t floor = place(tokens.front(), -1);
    for (Handle token : tokens)
      floor = std::min(floor, place(token, -1));
    std::unordered_set<void *> indirect;
    for (Handle token : tokens)
      if (!indirect.count(token.pointer))
        each_near(token, floor, nullptr, known, [&](Handle near) { indirect.insert(near.pointer); return true; });
    Tokens found;
    for (Handle token : tokens)
      if (!indirect.count(token.pointer))
        found.push_back(token);
    return found;
  }

  intptr_t place(Handle token, intptr_t otherwise) const {
    auto found = places.find(token.pointer);
    return found == places.end() ? otherwise : static_cast<intptr_t>(found->second);
  }

  // Carried tokens that are not followed: a list that grows inwards.
  struct Open {
    Handle argument;
    const Open *outer;
  };

  // Visits what a token waits for, nearest first; a floor of -2 is none.
  template <typename Visit>
  void each_near(Handle token, intptr_t floor, const Open *open, std::unordered_map<void *, Tokens> &memo, Visit visit) {
    std::unordered_set<void *> found;
    Tokens todo = of(token, open, memo);
    for (size_t i = 0; i < todo.size(); ++i) { // grows meanwhile
      Handle near = todo[i];
      if (!found.insert(near.pointer).second)
        continue;
      if (!visit(near) || found.size() == names.reach)
        return;
      if (floor != -2 && place(near, floor + 1) <= floor)
        continue;
      const Tokens &more = of(near, open, memo);
      todo.insert(todo.end(), more.begin(), more.end());
    }
  }

  const Tokens &of(Handle token, const Open *open, std::unordered_map<void *, Tokens> &memo) {
    if (auto found = memo.find(token.pointer); found != memo.end())
      return found->second;
    Tokens made = read(token, open, memo);
    return memo.emplace(token.pointer, std::move(made)).first->second;
  }

  Tokens read(Handle token, const Open *open, std::unordered_map<void *, Tokens> &memo) {
    if (!api.is_result(token))
      return read_carried(token, open, memo);
    Handle owner = api.result_owner(token);
    if (!waits(owner) || !is(api.result(owner, 0), token))
      return {};
    return deps_of(owner);
  }

  Tokens read_carried(Handle argument, const Open *open, std::unordered_map<void *, Tokens> &memo) {
    Handle block = api.argument_owner(argument), around = api.parent_of_block(block);
    auto number = static_cast<intptr_t>(api.argument_number(argument));
    if (!around.pointer || !is(api.name_of(around), loop) || number == 0)
      return {};
    for (const Open *each = open; each; each = each->outer)
      if (is(each->argument, argument))
        return {};
    Handle yielded = api.operand(last_of(block), number - 1);
    if (!is(yielded, argument)) {
      bool is_reached = false;
      Open ahead{argument, open};
      std::unordered_map<void *, Tokens> apart;
      each_near(yielded, -2, &ahead, apart, [&](Handle near) { return !(is_reached = is(near, argument)); });
      if (!is_reached)
        return {};
    }
    return of(api.operand(around, number + 2), open, memo);
  }
};

} // namespace

intptr_t first_indirect(const std::vector<Handle> &ops, const Waiting &names, intptr_t start) {
  return ops.empty() ? -1 : Indirect(ops, names).first(start);
}
