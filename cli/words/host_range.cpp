#include "cli/words/host_range.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cctype>
#include <set>
#include <span>

namespace ingot::cli {
namespace {

using Names = std::vector<std::string>;

class RangeReader {
 public:
  explicit RangeReader(const std::string& word) : word_(word) {}

  Names read() {
    Names all;
    for (;;) {
      Names names = name();
      if (names.size() == 1 && names.front().empty()) fail("a name is missing");
      std::ranges::move(names, std::back_inserter(all));
      limit(all.size());
      if (at_ == word_.size()) return all;
      ++at_;  // the comma
    }
  }

 private:
  // Up to a comma outside of brackets, or the end.
  Names name() {
    Names names{""};
    while (at_ < word_.size() && word_[at_] != ',') {
      if (word_[at_] == ']') fail("\"]\" without \"[\"");
      if (word_[at_] == '[') {
        names = combine(names, bracket());
      } else {
        for (std::string& n : names) n += word_[at_];
        ++at_;
      }
    }
    return names;
  }

  Names bracket() {
    ++at_;
    Names all;
    do {
      if (at_ < word_.size() && word_[at_] == ',') ++at_;
      const std::string first = number();
      const std::string last = take('-') ? number() : first;
      addRange(all, first, last);
    } while (at_ < word_.size() && word_[at_] == ',');
    if (!take(']'))
      fail(at_ == word_.size() ? "\"[\" is never closed" : "only numbers, \"-\" and \",\" may be in brackets");
    return all;
  }

  std::string number() {
    const std::size_t begin = at_;
    while (at_ < word_.size() && std::isdigit(static_cast<unsigned char>(word_[at_])) != 0) ++at_;
    if (at_ == begin) fail("a number is missing in the brackets");
    if (at_ - begin > 9) fail("a number in the brackets is too long");
    return word_.substr(begin, at_ - begin);
  }

  void addRange(Names& all, const std::string& first, const std::string& last) {
    const auto from = std::stoul(first);
    const auto to = std::stoul(last);
    if (to < from) fail(fmt::format("{}-{} runs backwards", first, last));
    limit(all.size() + (to - from) + 1);
    for (auto n = from; n <= to; ++n) all.push_back(fmt::format("{:0{}}", n, first.size()));
  }

  Names combine(const Names& heads, const Names& tails) {
    limit(heads.size() * tails.size());
    Names all;
    for (const auto& head : heads)
      for (const auto& tail : tails) all.push_back(head + tail);
    return all;
  }

  bool take(char c) {
    if (at_ == word_.size() || word_[at_] != c) return false;
    ++at_;
    return true;
  }

  void limit(std::size_t count) const {
    if (count > kMostHosts) fail(fmt::format("more than {} hosts", kMostHosts));
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw base::InvalidInput(word_, problem + "; write ranges like node[01-12,20]");
  }

  const std::string& word_;
  std::size_t at_ = 0;
};

// A name around its last number: "rack1-node" "07" ".example".
struct Parted {
  std::string before, number, after;

  explicit Parted(const std::string& name) {
    const auto last = name.find_last_of("0123456789");
    if (last == std::string::npos) {
      before = name;
      return;
    }
    const auto other = name.find_last_not_of("0123456789", last);
    const auto first = other == std::string::npos ? 0 : other + 1;
    before = name.substr(0, first);
    number = name.substr(first, last + 1 - first);
    after = name.substr(last + 1);
  }
  // Numbers of more digits than this are left as they are.
  [[nodiscard]] bool isCounted() const { return !number.empty() && number.size() <= 9; }
  [[nodiscard]] bool isBeside(const Parted& other) const {
    return isCounted() && other.isCounted() && before == other.before && after == other.after;
  }
  // What a bracket that ends with this one would go on with.
  [[nodiscard]] bool isFollowedBy(const Parted& next) const {
    return fmt::format("{:0{}}", std::stol(number) + 1, number.size()) == next.number;
  }
};

std::string bracketOf(std::span<const Parted> alike) {
  std::string parts;
  for (std::size_t first = 0; first < alike.size();) {
    std::size_t last = first;
    while (last + 1 < alike.size() && alike[last].isFollowedBy(alike[last + 1])) ++last;
    if (!parts.empty()) parts += ",";
    parts += alike[first].number;
    if (last > first) parts += "-" + alike[last].number;
    first = last + 1;
  }
  const auto& one = alike.front();
  return alike.size() == 1 ? one.before + one.number + one.after : one.before + "[" + parts + "]" + one.after;
}

}  // namespace

std::vector<std::string> expandHosts(const std::vector<std::string>& words) {
  Names all;
  std::set<std::string> seen;
  for (const std::string& word : words)
    for (std::string& name : RangeReader(word).read())
      if (seen.insert(name).second) all.push_back(std::move(name));
  return all;
}

std::string compactHosts(const std::vector<std::string>& names) {
  const std::vector<Parted> parted(names.begin(), names.end());
  std::string text;
  for (std::size_t first = 0; first < parted.size();) {
    std::size_t last = first;
    while (last + 1 < parted.size() && parted[first].isBeside(parted[last + 1])) ++last;
    if (!text.empty()) text += " ";
    text += bracketOf(std::span(parted).subspan(first, last + 1 - first));
    first = last + 1;
  }
  return text;
}

}  // namespace ingot::cli
