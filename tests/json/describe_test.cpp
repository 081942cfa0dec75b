#include "json/describe.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

enum class Mode { uefi, legacy };
constexpr auto namesOf(Mode) {
  return std::to_array<json::EnumName<Mode>>({{Mode::uefi, "UEFI"}, {Mode::legacy, "legacy"}});
}

struct Bmc {
  std::string address;
  std::optional<bool> secure;
  static void describe(auto& v) {
    v.doc("How to reach the BMC.");
    v.field("address", &Bmc::address).required().doc("Where it listens.");
    v.field("secure", &Bmc::secure);
  }
  friend bool operator==(const Bmc&, const Bmc&) = default;
};

struct Named {
  std::string name;
  static void describe(auto& v) { v.field("name", &Named::name).required(); }
};

struct Host : Named {
  Bmc bmc;
  bool online = false;
  int count = 0;
  std::int64_t bytes = 0;
  double megahertz = 0;
  json::Enum<Mode> mode;
  Mode closed = Mode::uefi;
  std::vector<Bmc> others;
  std::optional<std::vector<std::string>> volumes;
  std::map<std::string, std::string> labels;
  std::optional<base::WallTime> seen;
  json::Value anything;
  static void describe(auto& v) {
    Named::describe(v);
    v.field("bmc", &Host::bmc);
    v.field("online", &Host::online).required();
    v.field("count", &Host::count).minimum(0);
    v.field("bytes", &Host::bytes);
    v.field("megahertz", &Host::megahertz);
    v.field("mode", &Host::mode);
    v.field("closed", &Host::closed);
    v.field("others", &Host::others).listMap({"address"});
    v.field("volumes", &Host::volumes).always().nullable();
    v.field("labels", &Host::labels);
    v.field("seen", &Host::seen);
    v.field("anything", &Host::anything);
  }
};

struct Report {
  std::string text;
  std::vector<Bmc> bmcs;
  Bmc one;
  std::optional<base::WallTime> since;
  static void describe(auto& v) {
    v.field("text", &Report::text).required();
    v.field("bmcs", &Report::bmcs);
    v.field("one", &Report::one);
    v.field("since", &Report::since).always();
  }
};

struct Reported {
  Named spec;
  Report status;
  static void describe(auto& v) {
    v.field("spec", &Reported::spec);
    v.field("status", &Reported::status);
  }
};

struct Listed {
  std::vector<Bmc> status;
  static void describe(auto& v) { v.field("status", &Listed::status); }
};

std::string decodeFailure(std::string_view text) {
  try {
    (void)json::decode<Host>(json::parse(text));
  } catch (const json::DecodeError& e) {
    return e.what();
  }
  return "";
}

const char* const sample =
    R"({"name":"a","bmc":{"address":"x","secure":false},"online":true,"count":3,"bytes":9007199254740993,
  "megahertz":3400.5,"mode":"odd","closed":"legacy","others":[{"address":"y"}],"volumes":[],"labels":{"a":"b"},
  "seen":"2026-01-31T10:00:00Z","anything":{"x":[1]}})";

}  // namespace

TEST_CASE("a described struct survives decode and encode", "[describe]") {
  const auto host = json::decode<Host>(json::parse(sample));
  CHECK(host.name == "a");
  CHECK(host.bmc == Bmc{"x", false});
  CHECK(host.mode.text() == "odd");
  CHECK_FALSE(host.mode.known());
  CHECK(host.bytes == 9007199254740993);
  CHECK(json::serializeSorted(json::encode(host)) == json::serializeSorted(json::parse(sample)));
}

TEST_CASE("empty members are left out unless they are required or always written", "[describe]") {
  CHECK(json::serialize(json::encode(Host{})) == R"({"name":"","online":false,"closed":"UEFI","volumes":null})");
}

TEST_CASE("an empty list is not an absent one", "[describe]") {
  Host host;
  host.volumes.emplace();
  CHECK(json::serialize(json::encode(host).at("volumes")) == "[]");
}

TEST_CASE("decode errors name the path and both types", "[describe]") {
  CHECK(decodeFailure(R"({"bmc":{"address":4}})") == "bmc.address: expected string, got number");
  CHECK(decodeFailure(R"({"others":[{},{"secure":"yes"}]})") == "others[1].secure: expected bool, got string");
  CHECK(decodeFailure(R"({"labels":{"k":1}})") == "labels.k: expected string, got number");
  CHECK(decodeFailure(R"({"count":3000000000})") == "count: 3000000000 is out of range");
  CHECK(decodeFailure(R"({"count":1.5})") == "count: expected integer, got 1.5");
  CHECK(decodeFailure(R"({"closed":"BIOS"})") == "closed: \"BIOS\" is not one of UEFI, legacy");
  CHECK(decodeFailure(R"({"seen":"yesterday"})") == "seen: \"yesterday\" is not an RFC 3339 time");
  CHECK(decodeFailure("[]") == "expected object, got array");
}

TEST_CASE("null means absent", "[describe]") {
  const auto host =
      json::decode<Host>(json::parse(R"({"name":null,"bmc":null,"others":null,"seen":null,"count":null})"));
  CHECK(json::same(host, Host{}));
}

TEST_CASE("strict decoding lists unknown members with their path", "[describe]") {
  std::vector<std::string> unknown;
  (void)json::decodeStrict<Host>(
      json::parse(R"({"nmae":"x","bmc":{"adress":1},"others":[{"q":1}],"anything":{"z":1}})"), unknown);
  CHECK(unknown == std::vector<std::string>{"bmc.adress", "others[0].q", "nmae"});
}

TEST_CASE("decoding tells what a document lacks of what is always written", "[describe]") {
  const auto lacks = [](std::string_view text) {
    std::vector<std::string> unknown;
    json::Lacks lacks{.below = "status"};
    (void)json::decodeStrict<Reported>(json::parse(text), unknown, lacks);
    return lacks.any;
  };
  CHECK_FALSE(lacks(R"({"status":{"text":"a"}})"));  // of the spec nothing is told
  CHECK_FALSE(lacks(R"({"status":{"text":"","bmcs":[{"address":"b"}],"one":{"address":"c"}}})"));
  CHECK(lacks(R"({"spec":{"name":"n"}})"));
  CHECK(lacks(R"({"status":null})"));
  CHECK(lacks(R"({"status":{}})"));
  CHECK_FALSE(lacks(R"({"status":{"text":"a","one":null,"since":null}})"));  // neither would be written
  CHECK(lacks(R"({"status":{"text":"a","one":{"secure":true}}})"));
}

TEST_CASE("what a document lacks in the items of a list is told", "[describe]") {
  const auto lacks = [](std::string_view text) {
    std::vector<std::string> unknown;
    json::Lacks lacks{.below = "status"};
    (void)json::decodeStrict<Listed>(json::parse(text), unknown, lacks);
    return lacks.any;
  };
  CHECK(lacks(R"({"status":[{"address":"a"},{"secure":false}]})"));
  CHECK_FALSE(lacks(R"({"status":[{"address":"a"},{"address":"b"}]})"));
  CHECK_FALSE(lacks(R"({})"));
}

TEST_CASE("diff is a merge patch of what changed", "[describe]") {
  const auto before = json::decode<Host>(json::parse(sample));
  auto after = before;
  CHECK(json::isEmptyPatch(json::diff(before, after)));
  after.online = false;
  after.bmc.secure.reset();
  after.seen.reset();
  CHECK(json::serializeSorted(json::diff(before, after)) == R"({"bmc":{"secure":null},"online":false,"seen":null})");
}

TEST_CASE("unknown members survive a read-modify-write, inside list items too", "[describe]") {
  const auto raw = json::parse(
      R"({"x":1,"name":"","online":false,"closed":"UEFI","others":[{"address":"a","new":1},{"address":"b","new":2},{"address":"c","new":3}]})");
  const auto before = json::decode<Host>(raw);
  auto after = before;
  after.others[1].secure = true;
  after.others.erase(after.others.begin());
  auto result = raw;
  json::applyMergePatch(result, json::diffMergePatch(before, after, raw));
  CHECK(
      json::serializeSorted(result) ==
      R"({"closed":"UEFI","name":"","online":false,"others":[{"address":"b","new":2,"secure":true},{"address":"c","new":3}],"x":1})");
}

TEST_CASE("the schema follows the description", "[describe]") {
  const json::Value schema = json::schemaOf<Host>();
  CHECK(json::textAt(schema, {"type"}) == "object");
  CHECK(json::serialize(schema.at("required")) == R"(["name","online"])");
  CHECK(
      json::serializeSorted(*json::find(schema, {"properties", "bmc"})) ==
      R"({"description":"How to reach the BMC.","properties":{"address":{"description":"Where it listens.","type":"string"},"secure":{"type":"boolean"}},"required":["address"],"type":"object"})");
  CHECK(json::serializeSorted(*json::find(schema, {"properties", "mode"})) ==
        R"({"enum":["UEFI","legacy"],"type":"string"})");
  CHECK(json::serializeSorted(*json::find(schema, {"properties", "seen"})) ==
        R"({"format":"date-time","type":"string"})");
  CHECK(json::serializeSorted(*json::find(schema, {"properties", "labels"})) ==
        R"({"additionalProperties":{"type":"string"},"type":"object"})");
  CHECK(json::serializeSorted(*json::find(schema, {"properties", "anything"})) ==
        R"({"x-kubernetes-preserve-unknown-fields":true})");
  CHECK(json::textAt(*json::find(schema, {"properties", "others"}), {"x-kubernetes-list-type"}) == "map");
}
