#include "apiserver/schema/duplicates.hpp"

#include "json/value.hpp"
#include "kube/schema/field_path.hpp"

#include <deque>
#include <unordered_set>

namespace ingot::apiserver {

namespace {

using kube::FieldPath;

// A tokenizer's view of the text: depth is bounded, since it was parsed with a bound.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  std::vector<std::string> run() {
    value(FieldPath());
    return std::move(found_);
  }

 private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  // The raw text between the quotes.
  std::string_view quoted() {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    const std::size_t end = std::min(at_, text_.size());
    at_ = end + 1;
    return text_.substr(begin, end - begin);
  }

  std::string_view name() {
    const std::string_view raw = quoted();
    if (raw.find('\\') == std::string_view::npos) return raw;
    boost::system::error_code bad;
    const auto parsed = boost::json::parse("\"" + std::string(raw) + "\"", bad);
    names_.push_back(bad ? std::string(raw) : std::string(parsed.get_string()));
    return names_.back();
  }

  void value(const FieldPath& at) {
    switch (peek()) {
      case '{': return members(at);
      case '[': return items(at);
      case '"': return void(quoted());
      default:
        while (at_ < text_.size() && std::string_view(",]} \n\t\r").find(text_[at_]) == std::string_view::npos) ++at_;
    }
  }

  void members(const FieldPath& at) {
    std::unordered_set<std::string_view> seen, reported;
    ++at_;
    while (peek() == '"') {
      const std::string_view member = name();
      if (!seen.insert(member).second && !report_.full() && reported.insert(member).second)
        report_.add(at.member(member).text());
      if (!take(':')) return;
      value(at.member(member));
      if (!take(',')) break;
    }
    take('}');
  }

  void items(const FieldPath& at) {
    ++at_;
    for (std::size_t i = 0; peek() != ']' && peek() != '\0'; ++i) {
      value(at.item(i));
      if (!take(',')) break;
    }
    take(']');
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::deque<std::string> names_;
  std::vector<std::string> found_;
  kube::FieldReport report_{found_};
};

}  // namespace

std::vector<std::string> duplicateFields(std::string_view text) { return Scan(text).run(); }

}  // namespace ingot::apiserver
