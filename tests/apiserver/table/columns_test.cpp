#include "apiserver/table/columns.hpp"
#include "apiserver/table/age.hpp"
#include "apiserver/table/json_path.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::apiserver;

namespace {
std::string found(const std::string& path, const std::string& in) {
  const json::Value document = json::parse(in);
  const auto parsed = JsonPath::parse(path);
  if (!parsed) return "unreadable";
  const json::Value* value = parsed->find(document);
  return value ? json::serialize(*value) : "none";
}
}  // namespace

TEST_CASE("ages read as kubectl's", "[table]") {
  using std::chrono::seconds;
  constexpr std::int64_t hour = 3600, day = 24 * hour, year = 365 * day;
  const auto of = [](std::int64_t s) { return humanDuration(seconds(s)); };
  CHECK(of(33) == "33s");
  CHECK(of(119) == "119s");
  CHECK(of(137) == "2m17s");
  CHECK(of(300) == "5m");
  CHECK(of(900) == "15m");
  CHECK(of(5 * hour + 180) == "5h3m");
  CHECK(of(30 * hour) == "30h");
  CHECK(of(74 * hour) == "3d2h");
  CHECK(of(100 * day) == "100d");
  CHECK(of(3 * year) == "3y");
  CHECK(ageSince("", {}) == "<unknown>");
  CHECK(ageSince("soon", {}) == "<invalid>");
}

TEST_CASE("column paths", "[table]") {
  CHECK(found(".a.b", R"({"a":{"b":1}})") == "1");
  CHECK(found(".a[1]", R"({"a":[1,2]})") == "2");
  CHECK(found(".a[-1]", R"({"a":[1,2]})") == "2");
  CHECK(found(R"(.status.conditions[?(@.type=="Ready")].status)",
              R"({"status":{"conditions":[{"type":"X","status":"no"},{"type":"Ready","status":"True"}]}})") ==
        "\"True\"");
  CHECK(found(R"(.metadata.labels.a\.b/c)", R"({"metadata":{"labels":{"a.b/c":"v"}}})") == "\"v\"");
  CHECK(found(".metadata.labels['a.b']", R"({"metadata":{"labels":{"a.b":"v"}}})") == "\"v\"");
  CHECK(found(".a[*].b", R"({"a":[{},{"b":3}]})") == "3");
  CHECK(found(".a.b", "{}") == "none");
  CHECK(found(".a[", "{}") == "unreadable");
}

TEST_CASE("cells follow the column's type", "[table]") {
  const auto cell = [](const std::string& type, const std::string& value) {
    const json::Value object = json::parse(R"({"v":)" + value + "}");
    return json::serialize(customColumns({{"V", type, "", "", ".v"}})[1].cell(object, base::WallTime()));
  };
  CHECK(cell("string", "true") == "\"true\"");
  CHECK(cell("string", "5") == "\"5\"");
  CHECK(cell("string", R"({"a":1})") == R"("{\"a\":1}")");
  CHECK(cell("integer", "5") == "5");
  CHECK(cell("integer", "\"x\"") == "null");
  CHECK(cell("boolean", "true") == "true");
  CHECK(cell("string", "null") == "null");
}

TEST_CASE("built-in kinds have their own columns", "[table]") {
  const json::Value event = json::parse(
      R"({"involvedObject":{"kind":"Pod","name":"p"},"type":"Normal","reason":"R","message":"m","count":2,"metadata":{"name":"e"}})");
  std::string row;
  for (const auto& column : coreColumns("Event")) row += json::serialize(column.cell(event, base::WallTime())) + " ";
  CHECK(row == R"("<unknown>" "Normal" "R" "pod/p" "" "" "m" "<unknown>" 2 "e" )");
}
