// Options of command lines by the interface of cxxopts, as hosts of NPU programs use it; a cxxopts that is installed goes before.
#if defined(__has_include_next) && __has_include_next(<cxxopts.hpp>)
#include_next <cxxopts.hpp>
#elif !defined(ALLO_AIR_CXXOPTS_HPP)
#define ALLO_AIR_CXXOPTS_HPP

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <cxxopts_value.hpp>

namespace cxxopts {

/// What a command line says.
class ParseResult {
public:
  std::size_t count(const std::string &name) const {
    auto found = given_.find(canonical(name));
    return found == given_.end() ? 0 : found->second.size();
  }
  bool contains(const std::string &name) const { return count(name) > 0; }
  OptionValue operator[](const std::string &name) const {
    auto option = options_.find(canonical(name));
    if (option == options_.end())
      throw exceptions::no_such_option(name);
    auto found = given_.find(option->first);
    return OptionValue(name, found == given_.end() ? std::vector<std::string>() : found->second, option->second->kind->standard);
  }
  const std::vector<std::string> &unmatched() const { return unmatched_; }

private:
  friend class Options;
  std::string canonical(const std::string &name) const {
    auto found = names_.find(name);
    return found == names_.end() ? name : found->second;
  }

  std::map<std::string, std::vector<std::string>> given_;
  std::map<std::string, std::shared_ptr<OptionDetails>> options_;
  std::map<std::string, std::string> names_;
  std::vector<std::string> unmatched_;
};

class Options;

/// Adds options: `options.add_options()("x,xclbin", "the program", cxxopts::value<std::string>())`.
class OptionAdder {
public:
  OptionAdder(Options &options, std::string group) : options_(options), group_(std::move(group)) {}
  OptionAdder &operator()(const std::string &names, const std::string &about,
                          const std::shared_ptr<const Value> &kind = value<bool>(), const std::string &argument = "");

private:
  Options &options_;
  std::string group_;
};

/// The options of a program.
class Options {
public:
  explicit Options(std::string program = "", std::string about = "") : program_(std::move(program)), about_(std::move(about)) {}

  OptionAdder add_options(const std::string &group = "") { return OptionAdder(*this, group); }
  Options &allow_unrecognised_options() { return lenient_ = true, *this; }
  Options &positional_help(const std::string &text) { return positional_help_ = text, *this; }
  Options &custom_help(const std::string &text) { return custom_help_ = text, *this; }
  Options &show_positional_help() { return *this; }
  Options &set_width(std::size_t) { return *this; }
  Options &set_tab_expansion(bool = true) { return *this; }
  void parse_positional(const std::string &name) { positional_ = {name}; }
  void parse_positional(std::vector<std::string> names) { positional_ = std::move(names); }
  void parse_positional(std::initializer_list<std::string> names) { positional_ = names; }
  const std::string &program() const { return program_; }

  std::string help(const std::vector<std::string> & = {}, bool = false) const {
    std::string text = about_ + "\nUsage:\n  " + program_ + " " + custom_help_ + " " + positional_help_ + "\n\n";
    for (const auto &one : options_) {
      std::string names = "  " + (one->letter.empty() ? "    " : "-" + one->letter + (one->name.empty() ? "" : ", ")) +
                          (one->name.empty() ? "" : "--" + one->name);
      text += names + std::string(names.size() < 28 ? 28 - names.size() : 1, ' ') + one->about;
      text += one->kind->standard && *one->kind->standard != "false" ? " (default: " + *one->kind->standard + ")\n" : "\n";
    }
    return text;
  }

  ParseResult parse(int argc, const char *const *argv) {
    ParseResult result;
    for (const auto &one : options_) {
      const std::string &name = one->name.empty() ? one->letter : one->name;
      result.options_[name] = one;
      result.names_[one->letter.empty() ? name : one->letter] = name;
    }
    std::vector<std::string> rest(argv + (argc > 0), argv + argc);
    std::size_t position = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const std::string &word = rest[i];
      if (word == "--") {
        for (++i; i < rest.size(); ++i)
          take_positional(result, rest[i], position);
      } else if (word.size() > 2 && word.rfind("--", 0) == 0) {
        std::size_t equals = word.find('=');
        std::optional<std::string> text;
        if (equals != std::string::npos)
          text = word.substr(equals + 1);
        take(result, word.substr(2, equals == std::string::npos ? equals : equals - 2), word, text, rest, i);
      } else if (word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9')) {
        take_letters(result, word, rest, i);
      } else {
        take_positional(result, word, position);
      }
    }
    for (const auto &[name, option] : result.options_)
      if (!result.given_.count(name) && option->kind->standard)
        option->kind->parse(*option->kind->standard);
    return result;
  }

private:
  friend class OptionAdder;

  void take_letters(ParseResult &result, const std::string &word, const std::vector<std::string> &rest, std::size_t &i) {
    for (std::size_t at = 1; at < word.size(); ++at) {
      const std::string letter(1, word[at]), tail = word.substr(at + 1);
      auto option = result.options_.find(result.canonical(letter));
      const bool is_flag = option != result.options_.end() && option->second->kind->implied;
      if (tail.empty() || is_flag) {
        take(result, letter, word, std::nullopt, rest, i);
      } else {
        take(result, letter, word, tail[0] == '=' ? tail.substr(1) : tail, rest, i);
        return;
      }
    }
  }

  void take(ParseResult &result, const std::string &name, const std::string &word, std::optional<std::string> text,
            const std::vector<std::string> &rest, std::size_t &i) {
    auto option = result.options_.find(result.canonical(name));
    if (option == result.options_.end()) {
      if (!lenient_)
        throw exceptions::no_such_option(name);
      result.unmatched_.push_back(word);
      return;
    }
    if (!text && option->second->kind->implied)
      text = option->second->kind->implied;
    if (!text && i + 1 < rest.size())
      text = rest[++i];
    if (!text)
      throw exceptions::missing_argument(name);
    option->second->kind->parse(*text);
    result.given_[option->first].push_back(*text);
  }

  void take_positional(ParseResult &result, const std::string &word, std::size_t &position) {
    if (positional_.empty()) {
      result.unmatched_.push_back(word);
      return;
    }
    const std::string &name = positional_[position + 1 < positional_.size() ? position++ : position];
    auto option = result.options_.find(result.canonical(name));
    if (option == result.options_.end())
      throw exceptions::no_such_option(name);
    option->second->kind->parse(word);
    result.given_[option->first].push_back(word);
  }

  std::string program_, about_, positional_help_, custom_help_ = "[OPTION...]";
  std::vector<std::shared_ptr<OptionDetails>> options_;
  std::vector<std::string> positional_;
  bool lenient_ = false;
};

inline OptionAdder &OptionAdder::operator()(const std::string &names, const std::string &about,
                                            const std::shared_ptr<const Value> &kind, const std::string &) {
  auto made = std::make_shared<OptionDetails>();
  std::stringstream parts(names);
  for (std::string one; std::getline(parts, one, ',');) {
    one.erase(0, one.find_first_not_of(' '));
    (one.size() == 1 ? made->letter : made->name) = one;
  }
  made->group = group_;
  made->about = about;
  made->kind = std::const_pointer_cast<Value>(kind);
  options_.options_.push_back(made);
  return *this;
}

} // namespace cxxopts

#endif
