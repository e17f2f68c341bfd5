// Options of command lines by the interface of Boost.Program_options, as hosts of NPU programs use it; a Boost that is installed
// goes before.
#if defined(__has_include_next) && __has_include_next(<boost/program_options.hpp>)
#include_next <boost/program_options.hpp>
#elif !defined(ALLO_AIR_BOOST_PROGRAM_OPTIONS_HPP)
#define ALLO_AIR_BOOST_PROGRAM_OPTIONS_HPP

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace boost::program_options {

struct error : std::logic_error {
  using std::logic_error::logic_error;
};
struct unknown_option : error {
  explicit unknown_option(const std::string &name) : error("unrecognised option '" + name + "'") {}
};
struct required_option : error {
  explicit required_option(const std::string &name) : error("the option '--" + name + "' is required but missing") {}
};
struct invalid_option_value : error {
  invalid_option_value(const std::string &name, const std::string &text)
      : error("the argument ('" + text + "') for option '--" + name + "' is invalid") {}
};
struct invalid_command_line_syntax : error {
  explicit invalid_command_line_syntax(const std::string &name)
      : error("the required argument for option '--" + name + "' is missing") {}

protected:
  struct whole {};
  invalid_command_line_syntax(whole, const std::string &text) : error(text) {}
};
struct needless_value : invalid_command_line_syntax {
  explicit needless_value(const std::string &name)
      : invalid_command_line_syntax(whole(), "option '--" + name + "' does not take any arguments") {}
};
struct ambiguous_option : error {
  ambiguous_option(const std::string &name, const std::vector<std::string> &meant) : error(text(name, meant)) {}

private:
  static std::string text(const std::string &name, const std::vector<std::string> &meant) {
    std::string said = "option '--" + name + "' is ambiguous and matches ";
    for (std::size_t n = 0; n + 1 < meant.size(); ++n)
      said += "'--" + meant[n] + "', ";
    return said + "and '--" + meant.back() + "'";
  }
};
struct multiple_occurrences : error {
  explicit multiple_occurrences(const std::string &name) : error("option '--" + name + "' cannot be specified more than once") {}
};

/// How an option's text becomes a value.
struct value_semantic {
  virtual ~value_semantic() = default;
  virtual std::any read(const std::string &name, const std::vector<std::string> &texts) const = 0;
  virtual void tell(const std::any &value) const = 0;
  bool wanted = false, is_switch = false, several = false, is_list = false;
  std::any standard, implied;
  std::string shown;
};

template <typename T> struct is_vector : std::false_type {};
template <typename T> struct is_vector<std::vector<T>> : std::true_type {};

template <typename T> T from_text(const std::string &name, const std::string &text) {
  if constexpr (std::is_same_v<T, std::string>) {
    return text;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (text == "1" || text == "true" || text == "yes" || text == "on" || text.empty())
      return true;
    if (text == "0" || text == "false" || text == "no" || text == "off")
      return false;
    throw invalid_option_value(name, text);
  } else {
    std::istringstream stream(text);
    T value{};
    if (!(stream >> value) || !(stream >> std::ws).eof())
      throw invalid_option_value(name, text);
    return value;
  }
}

template <typename T> struct typed_value : value_semantic {
  explicit typed_value(T *place) : place(place) { several = is_list = is_vector<T>::value; }
  typed_value *default_value(const T &value) {
    standard = value;
    std::ostringstream text;
    if constexpr (!is_vector<T>::value)
      text << value;
    shown = " (=" + text.str() + ")";
    return this;
  }
  typed_value *default_value(const T &value, const std::string &text) {
    standard = value;
    shown = " (=" + text + ")";
    return this;
  }
  typed_value *implicit_value(const T &value) { return implied = value, this; }
  typed_value *required() { return wanted = true, this; }
  typed_value *multitoken() { return several = true, this; }
  typed_value *composing() { return this; }
  typed_value *zero_tokens() { return is_switch = true, this; }
  typed_value *value_name(const std::string &) { return this; }
  typed_value *notifier(std::function<void(const T &)> function) { return told = std::move(function), this; }

  std::any read(const std::string &name, const std::vector<std::string> &texts) const override {
    if constexpr (is_vector<T>::value) {
      T values;
      for (const auto &text : texts)
        values.push_back(from_text<typename T::value_type>(name, text));
      return values;
    } else {
      return from_text<T>(name, texts.back());
    }
  }
  void tell(const std::any &value) const override {
    if (place)
      *place = std::any_cast<T>(value);
    if (told)
      told(std::any_cast<T>(value));
  }
  T *place;
  std::function<void(const T &)> told;
};

template <typename T> typed_value<T> *value(T *place = nullptr) { return new typed_value<T>(place); }
inline typed_value<bool> *bool_switch(bool *place = nullptr) { return value<bool>(place)->default_value(false)->zero_tokens(); }

/// One option: its long and short name, and what it means.
struct option_description {
  std::string name, letter, text;
  std::shared_ptr<value_semantic> kind;
};

class options_description {
public:
  explicit options_description(std::string caption = "Allowed options", unsigned = 80, unsigned = 40) : caption_(std::move(caption)) {}
  class easy_init {
  public:
    explicit easy_init(options_description &owner) : owner_(owner) {}
    easy_init &operator()(const std::string &name, const std::string &text) { return add(name, nullptr, text); }
    easy_init &operator()(const std::string &name, value_semantic *kind, const std::string &text = "") {
      return add(name, kind, text);
    }

  private:
    easy_init &add(const std::string &name, value_semantic *kind, const std::string &text) {
      auto comma = name.find(',');
      std::string letter = comma == std::string::npos ? "" : name.substr(comma + 1);
      owner_.options.push_back({name.substr(0, comma), letter, text, std::shared_ptr<value_semantic>(kind)});
      return *this;
    }
    options_description &owner_;
  };
  easy_init add_options() { return easy_init(*this); }
  options_description &add(const options_description &other) {
    options.insert(options.end(), other.options.begin(), other.options.end());
    return *this;
  }
  friend std::ostream &operator<<(std::ostream &out, const options_description &all) {
    out << all.caption_ << ":\n";
    for (const auto &each : all.options)
      out << "  " << (each.letter.empty() ? "" : "-" + each.letter + " [ ") << "--" << each.name << (each.letter.empty() ? "" : " ]")
          << (each.kind && !each.kind->is_switch ? " arg" + each.kind->shown : "") << "  " << each.text << "\n";
    return out;
  }
  std::vector<option_description> options;

private:
  std::string caption_;
};

struct positional_options_description {
  positional_options_description &add(const char *name, int count) {
    places.emplace_back(name, count);
    return *this;
  }
  std::vector<std::pair<std::string, int>> places;
};

struct parsed_options {
  std::map<std::string, std::vector<std::string>> given;
  std::map<std::string, int> times;
  options_description all;
};

class basic_command_line_parser {
public:
  basic_command_line_parser(int argc, const char *const argv[]) : words_(argv + (argc > 0), argv + argc) {}
  explicit basic_command_line_parser(std::vector<std::string> words) : words_(std::move(words)) {}
  basic_command_line_parser &options(const options_description &all) { return all_ = all, *this; }
  basic_command_line_parser &positional(const positional_options_description &all) { return places_ = all, *this; }
  basic_command_line_parser &allow_unregistered() { return lenient_ = true, *this; }
  parsed_options run() const {
    parsed_options found{{}, {}, all_};
    std::vector<std::string> rest;
    for (std::size_t at = 0; at < words_.size(); ++at) {
      std::string word = words_[at];
      if (word == "--") { // what follows are no options
        rest.insert(rest.end(), words_.begin() + at + 1, words_.end());
        break;
      }
      bool is_long = word.rfind("--", 0) == 0;
      if (word.size() < 2 || word[0] != '-' || (!is_long && word.find_first_of("0123456789.") == 1)) {
        rest.push_back(word);
        continue;
      }
      auto equals = is_long ? word.find('=') : std::string::npos;
      std::string name = is_long ? word.substr(2, equals == std::string::npos ? equals : equals - 2) : word.substr(1, 1);
      const option_description *option = find(name, is_long);
      while (option && !takes(*option) && !is_long && word.size() > 2) { // -qv 2: a flag, and another option
        note(found, *option, {});
        word.erase(1, 1);
        option = find(word.substr(1, 1), false);
      }
      if (!option) {
        if (!lenient_)
          throw unknown_option(is_long ? word.substr(0, equals) : word.substr(0, 2));
        continue;
      }
      std::vector<std::string> values;
      if (is_long ? equals != std::string::npos : word.size() > 2)
        values.push_back(word.substr(is_long ? equals + 1 : 2));
      if (!takes(*option) && !values.empty())
        throw needless_value(option->name);
      while (takes(*option) && at + 1 < words_.size() &&
             (values.empty() || (option->kind->several && equals == std::string::npos)) &&
             (words_[at + 1][0] != '-' || words_[at + 1].find_first_of("0123456789.") == 1))
        values.push_back(words_[++at]);
      if (takes(*option) && values.empty() && !option->kind->implied.has_value())
        throw invalid_command_line_syntax(option->name);
      note(found, *option, values);
    }
    std::size_t used = 0;
    for (const auto &[name, count] : places_.places)
      for (int n = 0; used < rest.size() && (count < 0 || n < count); ++n, ++found.times[name])
        found.given[name].push_back(rest[used++]);
    if (used < rest.size() && !lenient_)
      throw error("too many positional options have been specified on the command line");
    return found;
  }

private:
  /// The option of this name; a long name may be cut off where one option alone begins with it.
  const option_description *find(const std::string &name, bool is_long) const {
    std::vector<const option_description *> meant;
    for (const auto &each : all_.options) {
      if ((is_long ? each.name : each.letter) == name)
        return &each;
      if (is_long && !name.empty() && each.name.rfind(name, 0) == 0)
        meant.push_back(&each);
    }
    if (meant.size() > 1) {
      std::vector<std::string> names;
      for (const auto *each : meant)
        names.push_back(each->name);
      throw ambiguous_option(name, names);
    }
    return meant.empty() ? nullptr : meant[0];
  }
  static bool takes(const option_description &option) { return option.kind && !option.kind->is_switch; }
  static void note(parsed_options &found, const option_description &option, const std::vector<std::string> &values) {
    auto &kept = found.given[option.name];
    kept.insert(kept.end(), values.begin(), values.end());
    ++found.times[option.name];
  }
  std::vector<std::string> words_;
  options_description all_;
  positional_options_description places_;
  bool lenient_ = false;
};
using command_line_parser = basic_command_line_parser;

inline parsed_options parse_command_line(int argc, const char *const argv[], const options_description &all, int = 0) {
  return command_line_parser(argc, argv).options(all).run();
}

/// The value of an option, empty where it has none.
class variable_value {
public:
  variable_value() = default;
  variable_value(std::any value, bool defaulted) : value_(std::move(value)), defaulted_(defaulted) {}
  bool empty() const { return !value_.has_value(); }
  bool defaulted() const { return defaulted_; }
  template <typename T> T as() const { return std::any_cast<T>(value_); }
  const std::any &value() const { return value_; }

private:
  std::any value_;
  bool defaulted_ = false;
};

class variables_map : public std::map<std::string, variable_value> {
public:
  const variable_value &operator[](const std::string &name) const {
    static const variable_value none;
    auto found = find(name);
    return found == end() ? none : found->second;
  }
  options_description all;
};

inline void store(const parsed_options &parsed, variables_map &map, bool = false) {
  map.all.add(parsed.all);
  for (const auto &each : parsed.all.options) {
    auto given = parsed.given.find(each.name);
    if (given != parsed.given.end() && !(map.count(each.name) && !map[each.name].defaulted())) {
      if (parsed.times.at(each.name) > 1 && !(each.kind && each.kind->is_list))
        throw multiple_occurrences(each.name);
      std::any read = std::string();
      if (each.kind)
        read = given->second.empty() && each.kind->implied.has_value() ? each.kind->implied
               : given->second.empty()                                 ? std::any(true)
                                                                       : each.kind->read(each.name, given->second);
      map.insert_or_assign(each.name, variable_value(read, false));
    } else if (each.kind && each.kind->standard.has_value()) {
      map.insert({each.name, variable_value(each.kind->standard, true)});
    }
  }
}

inline void notify(variables_map &map) {
  for (const auto &each : map.all.options) {
    if (each.kind && each.kind->wanted && !map.count(each.name))
      throw required_option(each.name);
    if (each.kind && map.count(each.name))
      each.kind->tell(map[each.name].value());
  }
}

} // namespace boost::program_options

#endif
