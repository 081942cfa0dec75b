#include "json/describe.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

template <class T>
std::string echoed(std::string_view text) {
  return json::serialize(json::encode(json::decode<T>(json::parse(text))));
}

}  // namespace

TEST_CASE("bytes travel as base64", "[codec]") {
  CHECK(json::serialize(json::encode(json::Bytes{"foobar"})) == R"("Zm9vYmFy")");
  CHECK(json::decode<json::Bytes>(json::parse(R"("Zg==")")).data == "f");
  CHECK_THROWS_AS(json::decode<json::Bytes>(json::parse(R"("Zg=")")), json::DecodeError);
}

TEST_CASE("times keep seconds, or microseconds where the API has them", "[codec]") {
  CHECK(echoed<base::WallTime>(R"("2026-01-31T10:00:00+02:00")") == R"("2026-01-31T08:00:00Z")");
  CHECK(echoed<json::MicroTime>(R"("2026-01-31T10:00:00.123456Z")") == R"("2026-01-31T10:00:00.123456Z")");
}

TEST_CASE("a number or a text stays what it was", "[codec]") {
  CHECK(echoed<json::IntOrString>("80") == "80");
  CHECK(echoed<json::IntOrString>(R"("30%")") == R"("30%")");
  CHECK(json::serializeSorted(json::schemaOf<json::IntOrString>()) ==
        R"({"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true})");
}

TEST_CASE("whole doubles are written as integers, integers may arrive as doubles", "[codec]") {
  CHECK(echoed<double>("3400.0") == "3400");
  CHECK(echoed<double>("0.25") == "0.25");
  CHECK(echoed<int>("5.0") == "5");
  CHECK(echoed<std::uint64_t>("18446744073709551615") == "18446744073709551615");
  CHECK_THROWS_WITH(json::decode<unsigned>(json::parse("-1")), "-1 is out of range");
}

TEST_CASE("maps of maps and lists decode with their path", "[codec]") {
  using Nested = std::map<std::string, std::vector<std::map<std::string, int>>>;
  CHECK(echoed<Nested>(R"({"a":[{"b":1}]})") == R"({"a":[{"b":1}]})");
  CHECK_THROWS_WITH(json::decode<Nested>(json::parse(R"({"a":[{"b":1},{"c":"x"}]})")),
                    "a[1].c: expected integer, got string");
}
