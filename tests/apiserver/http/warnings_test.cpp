#include "apiserver/http/warnings.hpp"

#include "tests/apiserver/http/fixture.hpp"

namespace ingot::apiserver::tests {

namespace {

using Texts = std::vector<std::string>;

std::string body(const std::string& spec) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},)" + spec + "}";
}

std::size_t bytesOf(const Answered& answer) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : answer.headers.all())
    bytes += net::sameHeaderName(name, "Warning") ? value.size() : 0;
  return bytes;
}

}  // namespace

TEST_CASE("a warning is quoted, told once, and of no more than 4096 characters", "[apiserver][http]") {
  CHECK(warningHeaders({}).empty());
  CHECK(warningHeaders({"a \"b\"\n", "", "a \"b\"\n", "c"}) == Texts{R"(299 - "a \"b\" ")", R"(299 - "c")"});
  CHECK(warningHeaders({std::string(4096, 'x')}).front().size() == 4096 + 8);
  CHECK(warningHeaders({std::string(4097, 'x')}).front().size() == 256 + 8);
  const std::string umlauts = [] {
    std::string out;
    for (int i = 0; i < 5000; ++i) out += "\xc3\xbc";
    return out;
  }();
  CHECK(warningHeaders({umlauts}).front().size() == 512 + 8);  // 256 characters
  Texts many;
  for (int i = 0; i < 1000; ++i) many.push_back(std::string(300, 'x') + std::to_string(i));
  CHECK(warningHeaders(many).size() == 16);
  CHECK(warningHeaders({"\xff"}) == Texts{"299 - \"\xef\xbf\xbd\""});
}

TEST_CASE("of a body full of unknown and repeated fields the first hundred are told", "[apiserver][http]") {
  EmbeddedFixture api({});
  std::string unknown, repeated;
  for (int i = 0; i < 500; ++i) {
    unknown += fmt::format("{}\"u{}\":1", i == 0 ? "" : ",", i);
    repeated += fmt::format("{0}\"k{1}\":\"\",\"k{1}\":\"\"", i == 0 ? "" : ",", i);
  }
  for (const auto& spec : {unknown, R"("data":{)" + repeated + "}"}) {
    const Answered strict = api.send("POST", kConfigMaps + "?fieldValidation=Strict", body(spec));
    CHECK(strict.status == 400);
    const std::string message = strict.at({"message"});
    std::size_t fields = 0;
    for (auto at = message.find(" field \""); at != std::string::npos; at = message.find(" field \"", at + 1)) ++fields;
    CHECK(fields == 100);
    const Answered warned = api.send("POST", kConfigMaps + "?dryRun=All", body(spec));
    CHECK(warned.status == 201);
    CHECK(bytesOf(warned) < 8000);
  }
}

TEST_CASE("long paths are told as long as they are few", "[apiserver][http]") {
  EmbeddedFixture api({});
  std::string repeated;
  for (int i = 0; i < 90; ++i) repeated += fmt::format("{0}\"k{1}\":\"\",\"k{1}\":\"\"", i == 0 ? "" : ",", i);
  const std::string spec = "\"" + std::string(1u << 20, 'x') + "\":{" + repeated + "}";
  const Answered strict = api.send("POST", kConfigMaps + "?fieldValidation=Strict", body(spec));
  CHECK(strict.status == 400);
  CHECK(strict.text.size() < 8u << 20);
  CHECK(bytesOf(api.send("POST", kConfigMaps + "?dryRun=All", body(spec))) < 8000);
}

}  // namespace ingot::apiserver::tests
