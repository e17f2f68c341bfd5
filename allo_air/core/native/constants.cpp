#include "api.h"
#include <unordered_map>

namespace {

struct Copies {
  Handle operation, outer; // whose operations are looked at, and the block that it stands in
  const Names &wanted;
  Handle block, first; // where copies go
  std::unordered_map<void *, Handle> made;
  std::vector<Handle> copied;

  void look_at(Handle inner) {
    for (intptr_t i = 0, count = api.count_operands(inner); i < count; ++i) {
      Handle value = api.operand(inner, i);
      if (!api.is_result(value))
        continue;
      Handle constant = api.result_owner(value);
      if (api.block_of(constant).pointer != outer.pointer || !holds(wanted, api.name_of(constant)))
        continue;
      auto [found, is_new] = made.try_emplace(value.pointer);
      if (is_new) {
        Handle copy = api.clone(constant);
        api.insert_before(block, first, copy);
        found->second = api.result(copy, 0);
        copied.push_back(constant);
      }
      api.set_operand(inner, i, found->second);
    }
  }
};

} // namespace

std::vector<Handle> copy_inside(Handle operation, const Names &wanted) {
  Handle block = api.first_block(api.region(operation, 0));
  Copies copies{operation, api.block_of(operation), wanted, block, api.first_operation(block), {}, {}};
  api.walk(
      operation,
      [](Handle inner, void *data) {
        auto &mine = *static_cast<Copies *>(data);
        if (inner.pointer != mine.operation.pointer)
          mine.look_at(inner);
        return 0;
      },
      &copies, Order::post);
  return copies.copied;
}
