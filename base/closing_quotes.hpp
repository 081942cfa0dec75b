// Where the quotes around URLs are closed in texts that others have written.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace ingot::base {

// Reads the text once, however many URLs are in it: to look ahead anew at each would take seconds for some megabytes.
class ClosingQuotes {
 public:
  // Whether a quote right before `at` may be closed there.
  using MayFollow = std::function<bool(std::string_view text, std::size_t at)>;

  // `text` must outlive it.
  ClosingQuotes(std::string_view text, MayFollow mayFollow);

  // Where `quote`, with as many backslashes as it begins with, is closed from `from` on in the same line; nullopt: it
  // is not, or too far away. `from` only grows from one call to the next, and no backslash stands right before it.
  [[nodiscard]] std::optional<std::size_t> next(std::string_view quote, std::size_t from);

 private:
  using Places = std::deque<std::size_t>;  // of the first backslash, ascending

  void readUpTo(std::size_t end, std::size_t from);
  [[nodiscard]] Places& placesOf(std::size_t backslashes, char quote, std::size_t from);

  std::string_view text_;
  MayFollow mayFollow_;
  std::size_t read_ = 0, backslashes_ = 0, lineEnd_;
  std::map<std::pair<std::size_t, char>, Places> places_;
};

}  // namespace ingot::base
