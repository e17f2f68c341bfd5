// What is used of MLIR's C API. The bindings' wheel has no headers; the library is loaded already, by the bindings, and is asked for
// the functions by name.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

struct Handle {
  void *pointer;
};

struct Text {
  const char *data;
  size_t size;
};

struct NamedAttribute {
  Handle name;
  Handle attribute;
};

enum class Order : int { pre, post };

using Visit = int (*)(Handle operation, void *data);
using Print = void (*)(Text piece, void *data);

struct Api {
  Handle (*context_of)(Handle operation);
  Handle (*name_of)(Handle operation);
  Handle (*location)(Handle operation);
  Handle (*identifier)(Handle context, Text text);
  void (*walk)(Handle operation, Visit visit, void *data, Order order);
  Text (*text_of)(Handle identifier);
  intptr_t (*count_attributes)(Handle operation);
  NamedAttribute (*attribute)(Handle operation, intptr_t position);
  Handle (*named_attribute)(Handle operation, Text name);
  intptr_t (*count_operands)(Handle operation);
  Handle (*operand)(Handle operation, intptr_t position);
  intptr_t (*count_results)(Handle operation);
  Handle (*result)(Handle operation, intptr_t position);
  intptr_t (*count_successors)(Handle operation);
  Handle (*successor)(Handle operation, intptr_t position);
  intptr_t (*count_regions)(Handle operation);
  Handle (*region)(Handle operation, intptr_t position);
  Handle (*first_block)(Handle region);
  Handle (*next_block)(Handle block);
  Handle (*first_operation)(Handle block);
  Handle (*next_operation)(Handle operation);
  intptr_t (*count_arguments)(Handle block);
  Handle (*argument)(Handle block, intptr_t position);
  Handle (*type_of)(Handle value);
  bool (*is_index)(Handle type);
  bool (*is_integer)(Handle type);
  bool (*is_signless)(Handle integer_type);
  unsigned (*width)(Handle integer_type);
  bool (*is_memref)(Handle type);
  bool (*is_unranked_memref)(Handle type);
  Handle (*memory_space)(Handle memref_type);
  bool (*is_integer_attribute)(Handle attribute);
  Handle (*attribute_type)(Handle attribute);
  int64_t (*integer)(Handle attribute);
  int32_t (*i32_element)(Handle attribute, intptr_t position);
  bool (*is_result)(Handle value);
  Handle (*result_owner)(Handle value);
  uintptr_t (*result_number)(Handle value);
  Handle (*argument_owner)(Handle value);
  uintptr_t (*argument_number)(Handle value);
  Handle (*first_use)(Handle value);
  Handle (*next_use)(Handle use);
  Handle (*use_owner)(Handle use);
  unsigned (*use_number)(Handle use);
  Handle (*parent)(Handle operation);
  Handle (*parent_of_block)(Handle block);
  Handle (*terminator)(Handle block);
  Handle (*block_of)(Handle operation);
  Handle (*clone)(Handle operation);
  void (*insert_before)(Handle block, Handle reference, Handle operation);
  void (*set_operand)(Handle operation, intptr_t position, Handle value);
  Handle (*printing_flags)();
  void (*destroy_flags)(Handle flags);
  void (*elide_elements)(Handle flags, intptr_t limit);
  void (*elide_resources)(Handle flags, intptr_t limit);
  void (*print_locations)(Handle flags, bool enable, bool pretty);
  void (*print_generic)(Handle flags);
  void (*print_local_scope)(Handle flags);
  void (*skip_regions)(Handle flags);
  void (*assume_verified)(Handle flags);
  void (*print)(Handle operation, Handle flags, Print callback, void *data);
};

extern Api api;

// Finds MLIR's C API in the loaded library at a path; whether it is all there.
bool find_functions(const char *path);

template <typename Visit> void each_block(Handle operation, Visit visit) {
  for (intptr_t r = 0, regions = api.count_regions(operation); r < regions; ++r)
    for (Handle block = api.first_block(api.region(operation, r)); block.pointer; block = api.next_block(block))
      visit(block, r);
}

using Words = std::vector<uintptr_t>;

// Names as MLIR holds them, sorted.
using Names = std::vector<void *>;
inline bool holds(const Names &names, Handle name) { return std::binary_search(names.begin(), names.end(), name.pointer); }

Words structure(Handle operation);

// What an operation is, its location and those inside as well, and the values from outside that it uses, each once.
struct Outline {
  Words words;
  std::vector<Handle> outer;
};
Outline outline(Handle operation);

// What an operation is but for the integers of `arith.constant` that operations called one of `free` take, and these: for each the
// operation, by its place in pre-order, the operand, and the constant's attribute.
struct Skeleton {
  Words words;
  Words numbers;
};
Skeleton skeleton(Handle operation, const Names &free);

void remap(Handle operation, const std::vector<Handle> &from, const std::vector<Handle> &to);

Words access(Handle operation, const Names &through, const Names &ignored);
Words dependences(Handle root, const Names &wanted, const Names &ignored);

// Values that an operation and those inside take, each once: the operations that take them first, and their places.
struct Takers {
  std::vector<Handle> operations;
  std::vector<intptr_t> places;
};
Takers takers_of_memrefs(Handle operation, const Names &skipped);
Takers takers_of_outer(Handle operation);

// The names that tell who waits for whom; how many tokens one search visits, and how many entries folding a join may make.
struct Waiting {
  Names waiting, only_deps;
  void *join;
  size_t reach, copies;
};

// The number of the first of operations, from `start` on, that waits for what it need not; -1 if none does.
intptr_t first_indirect(const std::vector<Handle> &ops, const Waiting &names, intptr_t start);

// An operation that moves data, and how many segments come before the memrefs that it reads and writes; -1 where it does not.
struct Moved {
  void *name;
  intptr_t read, written;
};

// What tells what operations touch: attributes that say nothing of order, views, hierarchies; lists longer than these stay.
struct Touching {
  Names plain, views, hierarchies;
  std::vector<Moved> moved;
  size_t most_deps, most_uses;
};

// The number of the first of operations a dependence of which orders nothing; -1 if there is none.
intptr_t first_false(const std::vector<Handle> &ops, const Waiting &names, const Touching &touching);

std::vector<Handle> copy_inside(Handle operation, const Names &wanted);

