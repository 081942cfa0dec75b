#include "base/ip_address.hpp"

#include <catch2/catch.hpp>

using namespace ingot::base;

namespace {

std::string canonical(const char* text) {
  const auto address = IpAddress::parse(text);
  return address ? address->text() : "refused";
}

}  // namespace

TEST_CASE("addresses are read in every text form and written in the canonical one", "[ip]") {
  const auto [text, expected] = GENERATE(table<const char*, const char*>({
      {"192.168.0.1", "192.168.0.1"},
      {"0.0.0.0", "0.0.0.0"},
      {"255.255.255.255", "255.255.255.255"},
      {"::", "::"},
      {"::1", "::1"},
      {"1::", "1::"},
      {"::0005", "::5"},
      {"FD00::00A2", "fd00::a2"},
      {"fd00:0:0::1", "fd00::1"},
      {"1:0:0:2:0:0:0:3", "1:0:0:2::3"},
      {"1:0:2:0:3:0:4:0", "1:0:2:0:3:0:4:0"},
      {"1:0:0:2:3:0:0:4", "1::2:3:0:0:4"},
      {"2001:db8::1.2.3.4", "2001:db8::102:304"},
      {"::1.2.3.4", "::102:304"},
      {"::ffff:10.0.0.2", "10.0.0.2"},
      {"::ffff:a00:2", "10.0.0.2"},
      {"1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"},
      {"1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"},
      {"1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"},
  }));
  CHECK(canonical(text) == expected);
}

TEST_CASE("what is no address is refused", "[ip]") {
  const auto* text = GENERATE("", " ", "bogus", "1.2.3", "1.2.3.4.5", "1.2.3.256", "10.0.0.01", "1..2.3", "1.2.3.4 ",
                              "1.2.3.4/24", ":", ":::", "1:", ":1", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
                              "1:2:3:4:5:6:7:8::", "00001::", "g::", "fd00::1%eth0", "[::1]", "::1.2.3", "::01.2.3.4",
                              "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3.4:5", "::ffff:");
  INFO(text);
  CHECK(canonical(text) == "refused");
}

TEST_CASE("both families are ordered as numbers", "[ip]") {
  CHECK(*IpAddress::parse("10.0.0.9") < *IpAddress::parse("10.0.0.10"));
  CHECK(*IpAddress::parse("10.0.0.1") < *IpAddress::parse("fd00::1"));
  CHECK(*IpAddress::parse("::1") < *IpAddress::parse("0.0.0.0"));
  CHECK(IpAddress::parse("::ffff:1.2.3.4") == IpAddress::parse("1.2.3.4"));
}

TEST_CASE("a prefix keeps the address as written and knows its network", "[ip]") {
  const auto prefix = IpPrefix::parse("10.0.208.5/29");
  REQUIRE(prefix);
  CHECK(prefix->address().text() == "10.0.208.5");
  CHECK(prefix->first().text() == "10.0.208.0");
  CHECK(prefix->last().text() == "10.0.208.7");
  CHECK(prefix->contains(*IpAddress::parse("10.0.208.7")));
  CHECK_FALSE(prefix->contains(*IpAddress::parse("10.0.208.8")));
}

TEST_CASE("an IPv6 network holds no IPv4 address", "[ip]") {
  CHECK_FALSE(IpPrefix::parse("::/0")->contains(*IpAddress::parse("10.0.0.1")));
  CHECK_FALSE(IpPrefix::parse("0.0.0.0/0")->contains(*IpAddress::parse("::1")));
  CHECK(IpPrefix::parse("::ffff:10.0.0.0/120")->contains(*IpAddress::parse("10.0.0.1")));
  CHECK(IpPrefix::parse("::/0")->contains(*IpAddress::parse("fd00::1")));
}

TEST_CASE("what is no prefix is refused", "[ip]") {
  const auto* text =
      GENERATE("", "/", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+1", "fd00::/129",
               "fd00::/1289", "bad/24", "10.0.0.0/24/24", "10.0.0.0/ 24", "fd00::%eth0/64");
  INFO(text);
  CHECK_FALSE(IpPrefix::parse(text));
}

TEST_CASE("leading zeros of a prefix length are fine, as in Go", "[ip]") {
  CHECK(IpPrefix::parse("10.0.0.0/024")->last().text() == "10.0.0.255");
}
