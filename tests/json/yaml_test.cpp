#include "json/yaml.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

std::string asJson(std::string_view yaml) { return json::serializeSorted(json::parseYamlValue(yaml)); }

std::string yamlFailure(std::string_view yaml) {
  try {
    (void)json::parseYaml(yaml);
  } catch (const json::YamlError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("plain scalars mean what they mean to kubectl", "[yaml]") {
  struct Row {
    const char *yaml, *json;
  };
  const Row rows[] = {
      {"yes", "true"},
      {"On", "true"},
      {"n", "false"},
      {"OFF", "false"},
      {"~", "null"},
      {"Null", "null"},
      {"yEs", "\"yEs\""},
      {"0x10", "16"},
      {"0b11", "3"},
      {"010", "8"},
      {"0o17", "15"},
      {"1_000", "1000"},
      {"+5", "5"},
      {"-7", "-7"},
      {"-0x10", "-16"},
      {"1.5", "1.5"},
      {"1e3", "1000"},
      {".5", "0.5"},
      {"1.", "1"},
      {"08", "8"},
      {"12:30:45", "\"12:30:45\""},
      {"18446744073709551615", "18446744073709551615"},
      {"2026-01-31", "\"2026-01-31\""},
      {"1.2.3", "\"1.2.3\""},
      {"0x", "\"0x\""},
      {"-", "[null]"},
      {"'yes'", "\"yes\""},
      {"\"1\"", "\"1\""},
      {"!!str 1", "\"1\""},
      {"52:54:00:b7:b2:6f", "\"52:54:00:b7:b2:6f\""},
      {"=", "\"=\""},
      {"_1", "\"_1\""},
      {"e1", "\"e1\""},
  };
  for (const auto& row : rows) {
    INFO(row.yaml);
    CHECK(asJson(row.yaml) == row.json);
  }
}

TEST_CASE("keys become texts", "[yaml]") {
  CHECK(asJson("{1: a, yes: b, ~: c, 0x10: d}") == R"({"1":"a","16":"d","null":"c","true":"b"})");
}

TEST_CASE("streams hold several documents, and empty ones do not count", "[yaml]") {
  const auto all = json::parseYaml("---\na: 1\n---\n# nothing\n---\nb: 2\n");
  REQUIRE(all.size() == 2);
  CHECK(json::serialize(all[1].value) == R"({"b":2})");
  CHECK(all[1].line == 6);
  CHECK(json::parseYaml("").empty());
}

TEST_CASE("aliases and merge keys are followed", "[yaml]") {
  CHECK(asJson("base: &b {x: 1, z: 2}\nmore:\n  <<: *b\n  z: 3\nagain: *b\n") ==
        R"({"again":{"x":1,"z":2},"base":{"x":1,"z":2},"more":{"x":1,"z":3}})");
}

TEST_CASE("lines of members are known", "[yaml]") {
  const auto all = json::parseYaml("spec:\n  nics:\n  - mac: a\n  - mac: b\n");
  CHECK(all[0].lines.at("spec.nics[1].mac") == 4);
}

TEST_CASE("what is wrong with a text is said with its line", "[yaml]") {
  CHECK(yamlFailure("a: 1\nb: [1\n").starts_with("line "));
  CHECK(yamlFailure("a: 1\na: 2\n") == "line 2: key \"a\" is there twice");
  CHECK(yamlFailure("x: 1\ny: .nan\n") == "line 2: \".nan\" cannot be said in JSON");
  CHECK(yamlFailure("x: 1\n? [1, 2]\n: y\n") == "line 2: a key must be a scalar");
  CHECK(yamlFailure(",]{c: \"y\"}\n") == "line 1: a value was expected here");  // yaml-cpp alone never returns from it
  CHECK(yamlFailure("a: 1\n---\n,]\n") == "line 3: a value was expected here");
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 8; ++i) {
    const std::string one = fmt::format("*a{0}, *a{0}, *a{0}, *a{0}, *a{0}", i - 1);
    bomb += fmt::format("a{0}: &a{0} [{1}, {1}]\n", i, one);
  }
  CHECK(yamlFailure(bomb).find("too many values") != std::string::npos);
  CHECK_FALSE(yamlFailure(std::string(3000, '[')).empty());
}

TEST_CASE("one large scalar that is named often counts each time", "[yaml]") {
  std::string text = "a: &a " + std::string(10'000, 'x') + "\nb:\n";
  for (int i = 0; i < 200; ++i) text += "- *a\n";
  const auto problem = [&](const std::string& of, std::size_t bytes) {
    try {
      (void)json::parseYaml(of, {.bytes = bytes});
      return std::string();
    } catch (const json::YamlError& e) {
      return std::string(e.what());
    }
  };
  CHECK(problem(text, 1'000'000) == "line 1: more than 1000000 bytes once its aliases are followed");
  CHECK(problem(text, 3'000'000).empty());
  CHECK(problem(text + "---\n" + text, 3'000'000) == "line 204: more than 3000000 bytes once its aliases are followed");
  std::string keys = "a: &a {" + std::string(1000, 'k') + ": 1}\nb:\n";
  for (int i = 0; i < 2000; ++i) keys += "- *a\n";
  CHECK_THAT(problem(keys, 1'000'000), Catch::Contains("once its aliases are followed"));
}

TEST_CASE("what is merged in cannot hold itself, nor grow in secret", "[yaml]") {
  CHECK_FALSE(yamlFailure("a:\n  <<: &x [*x]\n").empty());
  std::string bomb = "a0: &a0 [{x: 1}]\n";
  for (int i = 1; i < 30; ++i) bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}]\n", i, i - 1);
  std::string merged = "b:\n  <<: *a29\n";
  const auto begin = bomb.rfind("a29:");
  CHECK_FALSE(yamlFailure(bomb.substr(0, begin) + bomb.substr(begin) + merged).empty());
}

TEST_CASE("lines are known as long as their paths stay shorter than a text may be", "[yaml]") {
  std::string text = std::string(1000, 'k') + ":\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("  m{}: 1\n", i);
  const auto document = json::parseYaml(text, {.bytes = 10'000}).front();
  CHECK(document.value.at(std::string(1000, 'k')).as_object().size() == 100);
  CHECK(document.lines.size() < 10);
  CHECK(document.lines.at(std::string(1000, 'k') + ".m0") == 2);
}

TEST_CASE("what we write is read back the same, by 1.1 readers too", "[yaml]") {
  const char* const document =
      R"({"a":"yes","b":"1","c":"0x10","d":"","e":" x","f":"x: y","g":"# no","h":"a #b","i":"line\nline\n","j":"no end\nhere",
    "k":"two\n\n","l":"tab\there","m":"2026-01-31T10:00:00Z","n":null,"o":[],"p":{},"q":[{"a":[1,[2,{"b":"c"}]],"z":true},[],"-"],"r":1.5,
    "s":"- x","t":"null","u":"key:","v":".nan","w":"  lead\nx","x y":"=","<<":"*a","y":"ünï","z":"@x","aa":"%","bb":"\u0007\n","cc":"\n","dd":"!x","ee":"[x","ff":"\u0085"})";
  const auto v = json::parse(document);
  INFO(json::toYaml(v));
  CHECK(json::serializeSorted(json::parseYamlValue(json::toYaml(v))) == json::serializeSorted(v));
}

TEST_CASE("only UTF-8 is text", "[yaml]") {
  for (const char* bad : {"\xd7", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "\xe2\x80"})
    CHECK(yamlFailure(fmt::format("a: 1\nb: 'x{}'\n", bad)) == "line 2: a text that is not UTF-8");
  for (const char* good : {"\xc3\xbc", "\xe2\x82\xac", "\xed\x9f\xbf", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"})
    CHECK(yamlFailure(fmt::format("b: 'x{}'\n", good)).empty());
}

TEST_CASE("characters that YAML readers swallow or fold are escaped", "[yaml]") {
  CHECK(json::toYaml(json::Value("\xef\xbb\xbf"
                                 "a")) == "\"\\uFEFFa\"\n");
  CHECK(json::toYaml(json::Value("a\xc2\x85"
                                 "b\x7f")) == "\"a\\x85b\\x7F\"\n");
  CHECK(json::toYaml(json::Value("a\n\xe2\x80\xa8")) == "\"a\\n\\L\"\n");
  CHECK(json::toYaml(json::Value("...")) == "'...'\n");
  CHECK(asJson(json::toYaml(json::Value("a\n--- b\n"))) == "\"a\\n--- b\\n\"");
}

TEST_CASE("YAML is written the way people write manifests", "[yaml]") {
  CHECK(
      json::toYaml(json::parse(
          R"({"spec":{"online":true,"nics":[{"mac":"00:11:22:33:44:55","name":"eth0"}],"text":"a\nb\n","empty":[]}})")) ==
      "spec:\n  empty: []\n  nics:\n  - mac: \"00:11:22:33:44:55\"\n    name: eth0\n  online: true\n  text: |\n    a\n "
      "   "
      "b\n");
}
