// What is done to texts everywhere: case, hexadecimal, base64, UTF-8, host and port, slips of the pen.
#include "base/text.hpp"
#include "base/base64.hpp"
#include "base/nearest.hpp"
#include "base/utf8.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

TEST_CASE("lower changes A to Z and no other byte", "[text]") {
  CHECK(base::lower("IronIC-\xc3\x84 [@Z") == "ironic-\xc3\x84 [@z");
  CHECK(base::equalButForCase("Content-Type", "content-TYPE"));
  CHECK_FALSE(base::equalButForCase("ab", "abc"));
  CHECK_FALSE(base::equalButForCase("[", "{"));
}

TEST_CASE("bytes are two hexadecimal digits each", "[text]") {
  using namespace std::string_view_literals;
  CHECK(base::hex("\x00\x0f\xa0\xff"sv) == "000fa0ff");
  for (const char c : std::string("0123456789")) CHECK(base::hexDigit(c) == c - '0');
  CHECK(base::hexDigit('a') == 10);
  CHECK(base::hexDigit('F') == 15);
  for (const char c : std::string("g`@G/: ")) CHECK(base::hexDigit(c) == -1);
}

TEST_CASE("an IPv6 host stands in brackets before its port", "[text]") {
  CHECK(base::hostAndPort("10.0.0.1", 443) == "10.0.0.1:443");
  CHECK(base::hostAndPort("bmc.example", "8443") == "bmc.example:8443");
  CHECK(base::hostAndPort("fd00::1", 443) == "[fd00::1]:443");
}

TEST_CASE("base64 of any length comes back, and nothing else is taken for it", "[text]") {
  CHECK(base::toBase64("").empty());
  CHECK(base::toBase64("f") == "Zg==");
  CHECK(base::toBase64("fo") == "Zm8=");
  CHECK(base::toBase64("foobar") == "Zm9vYmFy");
  for (const std::string text : {"", "a", "ab", "abc", "\xff\xfe\x01\x02"})
    CHECK(base::fromBase64(base::toBase64(text)) == text);
  CHECK(base::fromBase64("Zm9v\nYmFy\n") == "foobar");
  for (const char* bad : {"Z", "Zg=", "Zg", "Z===", "Zm9v!", "Zg==Zg==", "===="}) CHECK_FALSE(base::fromBase64(bad));
}

TEST_CASE("only well-formed UTF-8 is a text", "[text]") {
  for (const char* good : {"", "plain", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x94\xa5", "\xf4\x8f\xbf\xbf"})
    CHECK(base::isUtf8(good));
  for (const char* bad : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "a\x80"})
    CHECK_FALSE(base::isUtf8(bad));
  CHECK(base::countRunes("\xc3\xa4\xff"
                         "b") == 3);
  CHECK(base::toUtf8("a\xff"
                     "b") ==
        "a\xef\xbf\xbd"
        "b");
}

TEST_CASE("the nearest word is offered, a far one is not", "[text]") {
  const std::vector<std::string> words{"online", "image", "bmc", "bootMACAddress"};
  CHECK(base::nearest("onlin", words) == "online");
  CHECK(base::nearest("Online", words) == "online");
  CHECK(base::nearest("bootMacAdress", words) == "bootMACAddress");
  CHECK(base::nearest("flavour", words).empty());
  CHECK(base::nearest("of", std::vector<std::string>{"on", "off"}) == "off");  // as near as "on", but begun
  CHECK(base::nearest("", words).empty());
}
