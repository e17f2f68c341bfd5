// What options of command lines take: the first half of cxxopts.hpp.
#ifndef ALLO_AIR_CXXOPTS_VALUE_HPP
#define ALLO_AIR_CXXOPTS_VALUE_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace cxxopts {

namespace exceptions {

class exception : public std::runtime_error {
  using std::runtime_error::runtime_error;
};
class specification : public exception {
  using exception::exception;
};
class parsing : public exception {
  using exception::exception;
};
class no_such_option : public parsing {
public:
  explicit no_such_option(const std::string &name) : parsing("Option '" + name + "' does not exist") {}
};
class missing_argument : public parsing {
public:
  explicit missing_argument(const std::string &name) : parsing("Option '" + name + "' is missing an argument") {}
};
class incorrect_argument_type : public parsing {
public:
  explicit incorrect_argument_type(const std::string &text) : parsing("Argument '" + text + "' failed to parse") {}
};
class option_has_no_value : public parsing {
public:
  explicit option_has_no_value(const std::string &name) : parsing("Option '" + name + "' has no value") {}
};

} // namespace exceptions

using OptionException = exceptions::exception;
using OptionSpecException = exceptions::specification;
using OptionParseException = exceptions::parsing;
using missing_argument_exception = exceptions::missing_argument;
using option_not_present_exception = exceptions::option_has_no_value;

namespace detail {

template <typename T> struct is_vector : std::false_type {};
template <typename T> struct is_vector<std::vector<T>> : std::true_type {};
template <typename T> struct is_optional : std::false_type {};
template <typename T> struct is_optional<std::optional<T>> : std::true_type {};

template <typename T> T parsed(const std::string &text) {
  if constexpr (std::is_same_v<T, std::string>) {
    return text;
  } else if constexpr (std::is_same_v<T, bool>) {
    for (const char *yes : {"1", "t", "T", "true", "True"})
      if (text == yes)
        return true;
    for (const char *no : {"0", "f", "F", "false", "False"})
      if (text == no)
        return false;
    throw exceptions::incorrect_argument_type(text);
  } else if constexpr (is_vector<T>::value) {
    T all;
    std::stringstream parts(text);
    for (std::string one; std::getline(parts, one, ',');)
      all.push_back(parsed<typename T::value_type>(one));
    return all;
  } else if constexpr (is_optional<T>::value) {
    return parsed<typename T::value_type>(text);
  } else if constexpr (std::is_same_v<T, char>) {
    if (text.size() != 1)
      throw exceptions::incorrect_argument_type(text);
    return text[0];
  } else if constexpr (std::is_integral_v<T>) {
    std::size_t end = 0;
    long long number = 0;
    try {
      number = std::stoll(text, &end, 0);
    } catch (const std::logic_error &) {
      throw exceptions::incorrect_argument_type(text);
    }
    if (end != text.size() || static_cast<long long>(static_cast<T>(number)) != number)
      throw exceptions::incorrect_argument_type(text);
    return static_cast<T>(number);
  } else {
    T made{};
    std::stringstream in(text);
    if (!(in >> made) || !(in >> std::ws).eof())
      throw exceptions::incorrect_argument_type(text);
    return made;
  }
}

} // namespace detail

/// What an option takes.
class Value : public std::enable_shared_from_this<Value> {
public:
  virtual ~Value() = default;
  virtual void parse(const std::string &text) const = 0;

  std::shared_ptr<Value> default_value(const std::string &text) {
    standard = text;
    return shared_from_this();
  }
  std::shared_ptr<Value> implicit_value(const std::string &text) {
    implied = text;
    return shared_from_this();
  }
  std::shared_ptr<Value> no_implicit_value() {
    implied.reset();
    return shared_from_this();
  }

  std::optional<std::string> standard, implied;
};

namespace detail {

template <typename T> class TypedValue : public Value {
public:
  explicit TypedValue(T *into = nullptr) : into_(into) {
    if constexpr (std::is_same_v<T, bool>) {
      standard = "false";
      implied = "true";
    }
  }
  void parse(const std::string &text) const override {
    T made = parsed<T>(text);
    if (into_)
      *into_ = made;
  }

private:
  T *into_;
};

} // namespace detail

template <typename T> std::shared_ptr<Value> value() { return std::make_shared<detail::TypedValue<T>>(); }
template <typename T> std::shared_ptr<Value> value(T &into) { return std::make_shared<detail::TypedValue<T>>(&into); }

/// The value of an option in a result.
class OptionValue {
public:
  OptionValue(std::string name, std::vector<std::string> given, std::optional<std::string> standard)
      : name_(std::move(name)), given_(std::move(given)), standard_(std::move(standard)) {}

  std::size_t count() const { return given_.size(); }
  bool has_default() const { return standard_.has_value(); }
  template <typename T> T as() const {
    if constexpr (detail::is_vector<T>::value) {
      T all;
      for (const std::string &text : given_)
        for (auto &one : detail::parsed<T>(text))
          all.push_back(one);
      if (!given_.empty())
        return all;
    }
    if (!given_.empty())
      return detail::parsed<T>(given_.back());
    if (!standard_)
      throw exceptions::option_has_no_value(name_);
    return detail::parsed<T>(*standard_);
  }
  template <typename T> std::optional<T> as_optional() const {
    return given_.empty() ? std::nullopt : std::optional<T>(as<T>());
  }

private:
  std::string name_;
  std::vector<std::string> given_;
  std::optional<std::string> standard_;
};

struct OptionDetails {
  std::string group, letter, name, about;
  std::shared_ptr<Value> kind;
};

} // namespace cxxopts

#endif
