// Secrets in texts that others wrote.
#include "base/redaction.hpp"

#include <catch2/catch.hpp>

using namespace ingot::base;

TEST_CASE("a secret and the user information of URLs do not get into texts", "[redaction]") {
  const Secret secret("hunter22");
  CHECK(redacted("login with hunter22 failed: hunter22hunter22", secret) == "login with *** failed: ******");
  CHECK(redacted("GET https://admin:pa@ss@10.0.0.1/redfish/v1?x=a@b failed", secret) ==
        "GET https://***@10.0.0.1/redfish/v1?x=a@b failed");
  CHECK(redacted("http://u:p@a and http://b/x@y", secret) == "http://***@a and http://b/x@y");
  CHECK(redacted("nothing in it", secret) == "nothing in it");
  CHECK(redacted("an abc", Secret("abc")) == "an abc");  // too short to be told from other text
  CHECK(redacted("", Secret()).empty());
  CHECK(redacted("://", Secret()) == "://");
}

TEST_CASE("no character of a password ends the user information of a URL", "[redaction]") {
  for (const char odd : std::string_view("^|{}<>\\\"'`#?/@:!$&*()[],;%~")) {
    INFO(odd);
    const std::string url = std::string("https://reader:p") + odd + "q@images/a.qcow2";
    CHECK(redacted("GET " + url + " failed", Secret()) == "GET https://***@images/a.qcow2 failed");
    CHECK(redacted("GET \"" + url + "\": refused", Secret()) == "GET \"https://***@images/a.qcow2\": refused");
  }
}

TEST_CASE("a URL within a URL loses its user information, too", "[redaction]") {
  CHECK(redacted("http://u:p@proxy/http://v:q@h/x", Secret()) == "http://***@proxy/http://***@h/x");
  CHECK(redacted("http://proxy/x?of=http://v:q@h/x", Secret()) == "http://proxy/x?of=http://***@h/x");
  CHECK(redacted("http://u:a://b@h/x", Secret()) == "http://***@h/x");
}

// Moving the tail at each find would take hours.
TEST_CASE("a text of megabytes is redacted in no time", "[redaction]") {
  constexpr std::size_t times = 1 << 20;
  std::string urls, secrets;
  for (std::size_t i = 0; i < times; ++i) urls += "://a@", secrets += "hunter22";
  CHECK(redacted(urls, Secret("hunter22")).size() == times * std::string_view("://***@").size());
  CHECK(redacted(secrets, Secret("hunter22")).size() == times * 3);
  const Secret repeating(std::string(60'000, 'a') + "b");
  const std::string nearly(times, 'a');
  CHECK(redacted(nearly + std::string(repeating.reveal()) + nearly, repeating) == nearly + "***" + nearly);
  for (const std::string_view piece :
       {"\"a://b ", "''''x:// ", "://b:c ", "\"a://b:c", "'a://b:c' d@", "://b", "://u:p@[", "u:@["}) {
    INFO(piece);
    std::string text;
    while (text.size() < times) text += piece;
    CHECK_FALSE(redacted("://" + text, Secret()).empty());
  }
}
