#include "base/closing_quotes.hpp"

#include <algorithm>

namespace ingot::base {
namespace {

constexpr std::size_t kLongestQuoted = 4096;  // of a URL

std::size_t lineEndFrom(std::string_view text, std::size_t from) {
  return std::min(text.find('\n', from), text.size());
}

}  // namespace

ClosingQuotes::ClosingQuotes(std::string_view text, MayFollow mayFollow)
    : text_(text), mayFollow_(std::move(mayFollow)), lineEnd_(lineEndFrom(text, 0)) {}

std::optional<std::size_t> ClosingQuotes::next(std::string_view quote, std::size_t from) {
  const auto end = std::min(from + kLongestQuoted, text_.size());
  readUpTo(end, from);
  if (lineEnd_ < from) lineEnd_ = lineEndFrom(text_, from);
  const auto& places = placesOf(quote.size() - 1, quote.back(), from);
  if (places.empty() || places.front() + quote.size() > std::min(end, lineEnd_)) return std::nullopt;
  return places.front();
}

void ClosingQuotes::readUpTo(std::size_t end, std::size_t from) {
  if (read_ < from) read_ = from, backslashes_ = 0;
  for (; read_ < end; ++read_) {
    const char c = text_[read_];
    if (c == '\\') {
      ++backslashes_;
      continue;
    }
    const bool isQuote = c == '"' || c == '\'' || c == '`';
    if (isQuote && mayFollow_(text_, read_ + 1)) placesOf(backslashes_, c, from).push_back(read_ - backslashes_);
    backslashes_ = 0;
  }
}

// Without those that are passed: only what is ahead is held.
ClosingQuotes::Places& ClosingQuotes::placesOf(std::size_t backslashes, char quote, std::size_t from) {
  auto& places = places_[{backslashes, quote}];
  while (!places.empty() && places.front() < from) places.pop_front();
  return places;
}

}  // namespace ingot::base
