// A boxed member reads, writes, compares and describes itself as an optional one; only its room differs.
#include "json/boxed.hpp"
#include "json/describe.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

struct Hints {
  std::string device, model, vendor;
  static void describe(auto& v) {
    v.field("device", &Hints::device);
    v.field("model", &Hints::model);
    v.field("vendor", &Hints::vendor);
  }
  friend bool operator==(const Hints&, const Hints&) = default;
};

template <template <class> class Box>
struct HostWith {
  Box<Hints> hints;
  static void describe(auto& v) { v.field("hints", &HostWith::hints).doc("Which disk."); }
  friend bool operator==(const HostWith&, const HostWith&) = default;
};
template <class T>
using Optional = std::optional<T>;
using Apart = HostWith<json::Boxed>;
using Inline = HostWith<Optional>;

const Hints kHints{.device = "/dev/sda", .model = "a model with a name", .vendor = "v"};

}  // namespace

TEST_CASE("a boxed member is decoded, encoded and described as an optional one", "[boxed]") {
  for (const char* text : {"{}", R"({"hints":null})", R"({"hints":{}})", R"({"hints":{"device":"/dev/sda"}})"}) {
    INFO(text);
    const json::Value document = json::parse(text);
    const auto apart = json::decode<Apart>(document);
    const auto other = json::decode<Inline>(document);
    CHECK(apart.hints == other.hints);
    CHECK(json::serialize(json::encode(apart)) == json::serialize(json::encode(other)));
    CHECK(json::same(apart, json::decode<Apart>(document)));
  }
  CHECK(json::serialize(json::Value(json::schemaOf<Apart>())) ==
        json::serialize(json::Value(json::schemaOf<Inline>())));
}

TEST_CASE("a decode error below a boxed member names its path", "[boxed]") {
  CHECK_THROWS_WITH(json::decode<Apart>(json::parse(R"({"hints":{"device":1}})")),
                    "hints.device: expected string, got number");
}

TEST_CASE("a boxed value is copied, not shared", "[boxed]") {
  Apart first{.hints = kHints};
  Apart second = first;
  second.hints->device = "/dev/sdb";
  CHECK(first.hints->device == "/dev/sda");
  first = second;
  CHECK(first == second);
  second.hints.reset();
  CHECK(first != second);
  CHECK(first.hints);
}

TEST_CASE("boxed and optional values convert and compare by content, either way round", "[boxed]") {
  const std::optional<Hints> none, some = kHints, other = Hints{.device = "x"};
  for (const auto& a : {none, some, other})
    for (const auto& b : {none, some, other}) {
      const json::Boxed<Hints> boxed = b;
      CHECK((a == boxed) == (a == b));
      CHECK((boxed == a) == (a == b));
      CHECK((a != boxed) == (a != b));
      CHECK((boxed == json::Boxed<Hints>(a)) == (a == b));
      CHECK(std::optional<Hints>(boxed) == b);
      CHECK((boxed == kHints) == (b == kHints));
    }
}

TEST_CASE("an absent boxed member takes the room of a pointer", "[boxed]") { CHECK(sizeof(Apart) == sizeof(void*)); }
