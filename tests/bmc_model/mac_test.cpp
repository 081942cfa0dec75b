#include "bmc/model/mac.hpp"

#include <catch2/catch.hpp>

using namespace ingot::bmc;

TEST_CASE("MAC addresses come out in one form", "[mac]") {
  for (const char* text : {"00:1A:2B:3C:4D:5E", "00-1a-2b-3c-4d-5e", "001a.2b3c.4d5e", "00:1a:2b:3c:4d:5e"}) {
    CAPTURE(text);
    CHECK(normaliseMac(text) == "00:1a:2b:3c:4d:5e");
  }
  for (const char* text : {"", "00:1a:2b:3c:4d", "00:1a:2b:3c:4d:5g", "00:1a-2b:3c:4d:5e", "001a2b3c4d5e",
                           "00:1a:2b:3c:4d:5e:", "00:1a:2b:3c:4d:5e:6f:70"}) {
    CAPTURE(text);
    CHECK_FALSE(normaliseMac(text));
  }
}

TEST_CASE("longer hardware addresses are known but are no MAC", "[mac]") {
  CHECK(looksLikeHardwareAddress("02:00:5e:10:00:00:00:01"));
  CHECK(looksLikeHardwareAddress("0200.5e10.0000.0001"));
  CHECK_FALSE(looksLikeHardwareAddress("02:00:5e:10:00"));
}

TEST_CASE("two spellings of one MAC are the same", "[mac]") {
  CHECK(sameMac("00:1A:2B:3C:4D:5E", "00-1a-2b-3c-4d-5e"));
  CHECK_FALSE(sameMac("", ""));
}
