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

// Moving the tail at each find would take hours.
TEST_CASE("a text of megabytes is redacted in no time", "[redaction]") {
  constexpr std::size_t times = 1 << 20;
  std::string urls, secrets;
  for (std::size_t i = 0; i < times; ++i) urls += "://a@", secrets += "hunter22";
  CHECK(redacted(urls, Secret("hunter22")).size() == times * std::string_view("://***@").size());
  CHECK(redacted(secrets, Secret("hunter22")).size() == times * 3);
}
