// What was written reads back as the same data: with yaml-cpp here, with PyYAML in read_with_pyyaml.py.
#include "base/file.hpp"
#include "base/utf8.hpp"
#include "json/yaml.hpp"

#include <catch2/catch.hpp>

#include <cstdio>

using namespace ingot;

namespace {

// Keys and values of the vectors: everything that ever was hard to write.
std::vector<json::Object> documents() {
  std::vector<json::Object> out;
  const std::string lines = base::readFile(INGOT_SOURCE_DIR "/tests/data/vectors/render_metadata.jsonl");
  for (std::size_t at = 0; at < lines.size();) {
    const auto end = lines.find('\n', at);
    const json::Value line = json::parse(std::string_view(lines).substr(at, end - at));
    at = end + 1;
    const json::Array* strings = json::arrayAt(line, {"in", "spec", "metaData", "strings"});
    if (!strings) continue;
    json::Object document;
    for (const auto& item : *strings) document[json::textAt(item, {"key"})] = json::textAt(item, {"value"});
    out.push_back({{"flat", document}, {"list", json::Array{document, json::Array{document}}}});
  }
  return out;
}

std::optional<std::string> written(const json::Object& document) {
  try {
    return json::toYaml(document, json::YamlStyle::exact);
  } catch (const json::YamlWriteError&) {
    return std::nullopt;
  }
}

// Line breaks of YAML 1.1, which yaml-cpp (1.2) takes for ordinary characters; and \_, which it reads as a lone byte.
bool isYaml12(std::string_view text) {
  return !text.contains("\xE2\x80\xA8") && !text.contains("\xE2\x80\xA9") && !text.contains("\\_");
}

}  // namespace

TEST_CASE("yaml-cpp reads every hard text back from a manifest") {
  for (const json::Object& document : documents()) {
    const std::string text = json::toYaml(document);
    INFO(text);
    CHECK(json::serializeSorted(json::parseYamlValue(text)) == base::toUtf8(json::serializeSorted(document)));
  }
}

TEST_CASE("yaml-cpp reads every hard text back from the exact form") {
  int compared = 0;
  for (const json::Object& document : documents()) {
    const auto text = written(document);
    if (!text || !isYaml12(*text)) continue;
    ++compared;
    INFO(*text);
    CHECK(json::equal(json::parseYamlValue(*text), document));
  }
  CHECK(compared > 100);
}

// For read_with_pyyaml.py: a line of JSON for each document, with its YAML.
TEST_CASE("print documents for another reader", "[.print]") {
  const auto print = [](const json::Object& document, const std::string& text) {
    std::printf("@%s\n", json::serialize(json::Object{{"text", text}, {"value", document}}).c_str());
  };
  for (const json::Object& document : documents()) {
    print(document, json::toYaml(document));
    if (const auto exact = written(document)) print(document, *exact);
  }
}
