#include "base/cut_text.hpp"

#include "base/utf8.hpp"

#include <catch2/catch.hpp>

using ingot::base::cutText;

TEST_CASE("a text is cut between two characters, never inside one") {
  CHECK(cutText("plain", 10) == "plain");
  CHECK(cutText("plain", 5) == "plain");
  CHECK(cutText("plain", 2) == "pl");
  CHECK(cutText("", 3).empty());
  CHECK(cutText("a\u00e9b", 1) == "a");
  CHECK(cutText("a\u00e9b", 2) == "a");
  CHECK(cutText("a\u00e9b", 3) == "a\u00e9");
  const std::string words = "\u96fb\u6e90\u3092\u5165\u308c\u3089\u308c\u307e\u305b\u3093 \U0001f50c";
  for (std::size_t most = 0; most <= words.size(); ++most) {
    CHECK(ingot::base::isUtf8(cutText(words, most)));
    CHECK(cutText(words, most).size() <= most);
    CHECK(cutText(words, most).size() + 3 >= most);
  }
}

TEST_CASE("what is no text is one after the cut") {
  CHECK(cutText("a\xff"
                "b",
                9) ==
        "a\ufffd"
        "b");
  CHECK(cutText("a\xff"
                "b",
                3) == "a");
  CHECK(cutText("a\xe9\x9b", 9) == "a\ufffd\ufffd");
}

TEST_CASE("one line is cut after its control characters became spaces") {
  CHECK(ingot::base::oneLine("a\r\nb\x7f\u00e9", 9) == "a  b \u00e9");
  CHECK(ingot::base::oneLine("a\nbc", 3) == "a b");
}
