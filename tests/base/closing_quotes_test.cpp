// Where the quotes around URLs in texts of others are closed.
#include "base/closing_quotes.hpp"
#include "base/url_redaction.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace ingot::base;

namespace {

std::optional<std::size_t> closing(std::string_view text, std::string_view quote, std::size_t from = 0) {
  return ClosingQuotes(text, mayFollowQuote).next(quote, from);
}

std::string times(std::size_t count, std::string_view piece) {
  std::string text;
  while (count-- > 0) text += piece;
  return text;
}

}  // namespace

TEST_CASE("a quote is closed by its like, in its line, and not in the middle of a word", "[redaction]") {
  CHECK(closing("a\"b\" c\"", "\"") == 3);
  CHECK(closing("a' b\"", "\"") == 4);
  CHECK(closing("a\\\" b\"", "\"") == 5);      // escaped: it is of a string within
  CHECK(closing("a\" b\\\" c", "\\\"") == 4);  // and the other way round
  CHECK(closing("a\\\\\" b\\\" c", "\\\"") == 6);
  CHECK_FALSE(closing("a\nb\"", "\""));
  CHECK_FALSE(closing("a\"b", "\""));
  CHECK_FALSE(closing("", "\""));
  CHECK(closing(times(4095, "a") + "\"", "\"") == 4095);
  CHECK_FALSE(closing(times(4096, "a") + "\"", "\""));
  CHECK_FALSE(closing(times(4095, "a") + "\"b", "\""));
}

TEST_CASE("what closed one quote does not close one that begins behind it", "[redaction]") {
  const std::string text = "a' b' c\nd' " + times(5000, "e") + "' f";
  ClosingQuotes closing(text, mayFollowQuote);
  CHECK(closing.next("'", 0) == 1);
  CHECK(closing.next("`", 1) == std::nullopt);
  CHECK(closing.next("'", 2) == 4);
  CHECK(closing.next("'", 5) == std::nullopt);
  CHECK(closing.next("'", 8) == 9);
  CHECK(closing.next("'", 10) == std::nullopt);
  CHECK(closing.next("'", 4000) == 5011);
}

// A BMC may write megabytes of this, and the thread that reads them serves a thousand others.
TEST_CASE("each quote of a text is looked at once, however many URLs stand in quotes", "[redaction]") {
  for (const std::string_view piece : {"''''x:// ", "'x://' ", "\\'\\\\'x://", "'\"`a://b", "'a://b\n"}) {
    INFO(piece);
    const std::string text = times(2000, piece);
    std::ptrdiff_t looks = 0;
    ClosingQuotes closing(text, [&](std::string_view all, std::size_t at) {
      ++looks;
      return mayFollowQuote(all, at);
    });
    for (auto at = text.find("://"); at != std::string::npos; at = text.find("://", at + 1))
      for (const auto* quote : {"'", "\\'", "`"}) static_cast<void>(closing.next(quote, at + 3));
    CHECK(looks <= std::ranges::count_if(
                       text, [](char c) { return std::string_view("'\"`").find(c) != std::string_view::npos; }));
  }
}
