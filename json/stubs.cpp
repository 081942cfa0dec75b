#include "json/stubs.hpp"

#include <algorithm>
#include <vector>

namespace ingot::json {
namespace {

constexpr std::size_t kDeepest = 10'100;  // Go's limit for one object, and what a list or a watch puts around it
constexpr std::size_t kKept = 2;          // levels of an object that its stub has

// Goes from bracket to bracket, and past those in strings.
class Brackets {
 public:
  explicit Brackets(std::string_view text) : text_(text) {}

  // False: the text has ended, or goes on wrong.
  bool next() {
    if (isEnd_) open_.pop_back();
    isEnd_ = false;
    for (at_ = next_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') at_ = endOfString();
      if (c != '{' && c != '[' && c != '}' && c != ']') continue;
      next_ = at_ + 1;
      return isRight_ = c == '{' || c == '[' ? begins(c) : ends(c);
    }
    return false;
  }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] bool isEnd() const { return isEnd_; }               // of an object or array, not the begin
  [[nodiscard]] std::size_t depth() const { return open_.size(); }  // of the one that begins or ends here
  [[nodiscard]] bool wasRight() const { return isRight_ && open_.empty(); }

 private:
  bool begins(char bracket) {
    open_.push_back(bracket == '{');
    return open_.size() <= kDeepest;
  }
  bool ends(char bracket) {
    isEnd_ = !open_.empty();
    return isEnd_ && open_.back() == (bracket == '}');
  }
  [[nodiscard]] std::size_t endOfString() const {
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == '"') return i;
      if (text_[i] == '\\') ++i;
    }
    return text_.size();
  }

  std::string_view text_;
  std::size_t at_ = 0, next_ = 0;
  std::vector<bool> open_;  // true: an object
  bool isEnd_ = false, isRight_ = true;
};

// `object`: its text, whose brackets match.
std::string stubOf(std::string_view object) {
  std::string stub = "[";
  std::size_t copied = 0;
  for (Brackets brackets(object); brackets.next();) {
    if (brackets.depth() != kKept + 1) continue;
    if (!brackets.isEnd()) stub.append(object.substr(copied, brackets.at() - copied)).append("null");
    copied = brackets.at() + 1;
  }
  return stub.append(object.substr(copied)).append("]");
}

}  // namespace

std::optional<std::string> withStubs(std::string_view text, std::size_t level, std::size_t depth) {
  std::string out;
  std::size_t copied = 0, begin = 0, deepest = 0;
  Brackets brackets(text);
  while (brackets.next()) {
    deepest = std::max(deepest, brackets.depth());
    if (brackets.depth() != level) continue;
    if (!brackets.isEnd()) {
      begin = brackets.at();
      deepest = level;
    } else if (deepest - level >= depth) {
      out.append(text.substr(copied, begin - copied)).append(stubOf(text.substr(begin, brackets.at() + 1 - begin)));
      copied = brackets.at() + 1;
    }
  }
  if (copied == 0 || !brackets.wasRight()) return std::nullopt;
  return out.append(text.substr(copied));
}

}  // namespace ingot::json
