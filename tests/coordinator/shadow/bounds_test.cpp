// What a shadow keeps and tells stays bounded, whoever may write what it looks at.
#include "base/log.hpp"
#include "coordinator/shadow/report.hpp"
#include "coordinator/shadow/shadow.hpp"
#include "tests/coordinator/shadow/beside.hpp"
#include "tests/net/pair.hpp"

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using namespace coordinator::shadow;
using namespace shadowed;

std::size_t bytesOf(const Difference& difference) { return json::serialize(documentOf(difference)).size(); }

TEST_CASE("one change of ten thousand annotations, or of a megabyte, is told in some kilobytes", "[shadow]") {
  Beside site;
  json::Value object = machine("2", R"({"a":"old"})");
  SECTION("ten thousand") {
    json::Object annotations;
    for (int i = 0; i < 10'000; ++i) annotations[fmt::format("site/{}", i)] = std::string(50, 'x');
    object.at("metadata").as_object()["annotations"] = std::move(annotations);
  }
  SECTION("a megabyte, quotes that are escaped twice") {
    for (const char* path : {"a", "b", "c"}) object.at("spec").as_object()[path] = std::string(1 << 20, '"');
  }
  SECTION("a megabyte of names") {
    for (int i = 0; i < 10; ++i) object.at("spec").as_object()[std::string(100'000, static_cast<char>('a' + i))] = "x";
  }
  site.book.seen(kMachine, std::move(object), Book::Sight::watched);
  site.only(Outcome::notForeseen);
  REQUIRE(site.book.differences().size() == 1);
  const auto& found = site.book.differences().front();
  CHECK_FALSE(found.fields.empty());
  CHECK(bytesOf(found) < 32'000);
  if (found.fields.size() > 10) {
    CHECK(found.fields.size() + found.leftOut == 10'000);
    CHECK(json::intAt(json::Value(documentOf(found)), {"fieldsLeftOut"}) == static_cast<std::int64_t>(found.leftOut));
  }
}

TEST_CASE("a long field that was told as not done is forgotten when it is done", "[shadow]") {
  Beside site;
  const std::string path = "spec." + std::string(1000, 'x');
  site.want(R"("new")", "1", path);
  site.pass(61s);
  REQUIRE(site.book.differences().size() == 1);
  site.book.gone(kMachine);
  CHECK(site.book.differences().empty());
}

}  // namespace
}  // namespace ingot::tests
