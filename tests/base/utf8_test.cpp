#include "base/utf8.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

TEST_CASE("what is no UTF-8 becomes one replacement character a byte, as Go writes it", "[utf8]") {
  struct Row {
    std::string bytes, text;
  };
  const std::string replaced = "\xef\xbf\xbd";
  const Row rows[] = {
      {"", ""},
      {"plain text that is longer than a word", "plain text that is longer than a word"},
      {"gr\xc3\xbc\xc3\x9f dich, \xf0\x9f\x98\x80", "gr\xc3\xbc\xc3\x9f dich, \xf0\x9f\x98\x80"},
      {"\xff", replaced},
      {"a\xff\xfe"
       "b",
       "a" + replaced + replaced + "b"},
      {"12345678\xc3", "12345678" + replaced},                          // ends in the middle
      {"\xe2\x82 ", replaced + replaced + " "},                         // the same, before another character
      {"\xed\xa0\x80", replaced + replaced + replaced},                 // half a surrogate pair
      {"\xc0\x80", replaced + replaced},                                // a longer form than needed
      {"\xf4\x90\x80\x80", replaced + replaced + replaced + replaced},  // above U+10FFFF
  };
  for (const auto& [bytes, text] : rows) {
    INFO(text);
    CHECK(base::toUtf8(bytes) == text);
    CHECK(base::isUtf8(bytes) == (bytes == text));
    CHECK(base::isUtf8(base::toUtf8(bytes)));
  }
}
