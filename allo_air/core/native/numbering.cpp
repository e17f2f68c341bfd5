// The numbers of unnamed values, counted anew as MLIR counts them: a region's own values, then those inside.
#include "text.h"
#include <string_view>
#include <unordered_map>

namespace {

using View = std::string_view;

struct Scope {
  size_t parent;
  Py_ssize_t first; // number of its first value
  std::vector<View> numbers;
};

size_t digits_at(View line, size_t at) {
  size_t end = at;
  while (end < line.size() && is_digit(line[end]))
    ++end;
  return end - at;
}

bool begins(View line, size_t at, View wanted) { return line.substr(at, wanted.size()) == wanted; }

// The number that an operation's results have in a line that begins with it, `%3 = ` or `%3:2 = `; nothing where it has none.
View defined_in(View line) {
  size_t size = digits_at(line, 1), end = 1 + size;
  if (!size)
    return {};
  if (size_t group = begins(line, end, ":") ? digits_at(line, end + 1) : 0)
    end += 1 + group;
  return begins(line, end, " = ") ? line.substr(1, size) : View{};
}

// Arguments in a block's label.
void add_arguments(View line, std::vector<View> &numbers) {
  for (size_t at = line.find('%'); at != View::npos; at = line.find('%', at + 1))
    if (size_t size = digits_at(line, at + 1); size && begins(line, at + 1 + size, ": "))
      numbers.push_back(line.substr(at + 1, size));
}

template <typename Visit> void each_line(View text, Visit visit) {
  for (size_t start = 0; start <= text.size();) {
    size_t end = std::min(text.find('\n', start), text.size());
    visit(text.substr(start, end - start));
    start = end + 1;
  }
}

} // namespace

PyObject *renumbered(PyObject *, PyObject *given) {
  const char *data;
  Py_ssize_t size;
  if (!read_ascii(given, data, size))
    Py_RETURN_NOTIMPLEMENTED;
  View text(data, static_cast<size_t>(size));
  std::vector<Scope> scopes{{0, 0, {}}};
  std::vector<size_t> open{0};
  each_line(text, [&](View line) {
    View rest = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    if (begins(rest, 0, "}") && open.size() > 1)
      open.pop_back();
    else if (begins(rest, 0, "%")) {
      if (View number = defined_in(rest); !number.empty())
        scopes[open.back()].numbers.push_back(number);
    } else if (begins(rest, 0, "^"))
      add_arguments(rest, scopes[open.back()].numbers);
    if (!rest.empty() && rest.back() == '{') {
      open.push_back(scopes.size());
      size_t parent = open[open.size() - 2];
      scopes.push_back({parent, 0, {}});
    }
  });
  std::unordered_map<View, Py_ssize_t> now;
  auto enter = [&](size_t index) {
    Scope &scope = scopes[index];
    if (const Scope &around = scopes[scope.parent]; index)
      scope.first = around.first + static_cast<Py_ssize_t>(around.numbers.size());
    for (size_t n = 0; n < scope.numbers.size(); ++n)
      now[scope.numbers[n]] = scope.first + static_cast<Py_ssize_t>(n);
  };
  enter(0);
  std::string made;
  made.reserve(text.size());
  size_t entered = 0;
  each_line(text, [&](View line) {
    Py_ssize_t copied = 0, length = static_cast<Py_ssize_t>(line.size());
    each_value(line.data(), length, true, [&](Py_ssize_t begin, Py_ssize_t end) {
      if (auto found = now.find(line.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin))); found != now.end()) {
        made.append(line.data() + copied, static_cast<size_t>(begin - copied)) += std::to_string(found->second);
        copied = end;
      }
      return true;
    });
    made.append(line.data() + copied, static_cast<size_t>(length - copied)) += '\n';
    if (!line.empty() && line.back() == '{')
      enter(++entered);
  });
  made.pop_back(); // the last line's end
  return string_of(made);
}
