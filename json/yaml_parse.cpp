#include "json/utf8.hpp"
#include "json/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>

namespace ingot::json {

YamlError::YamlError(const std::string& problem, std::size_t line)
    : Error(line == 0 ? problem : fmt::format("line {}: {}", line, problem)), line_(line) {}

namespace {

std::size_t lineOf(const YAML::Mark& mark) { return mark.is_null() ? 0 : static_cast<std::size_t>(mark.line) + 1; }

// One document: yaml-cpp's tree → Value, noting the line of every path.
class Reader {
 public:
  Reader(YamlDocument& out, const YamlLimits& limits) : out_(out), limits_(limits) {}

  Value read(const YAML::Node& node, const std::string& path, std::size_t depth) {
    const std::size_t line = lineOf(node.Mark());
    if (depth > limits_.depth) throw YamlError("nested too deeply", line);
    if (++nodes_ > limits_.nodes) throw YamlError("too many values", line);
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null: return {};
      case YAML::NodeType::Scalar: return scalar(node, line);
      case YAML::NodeType::Sequence: return sequence(node, path, depth);
      case YAML::NodeType::Map: return map(node, path, depth);
    }
    return {};
  }

 private:
  static Value scalar(const YAML::Node& node, std::size_t line) {
    const std::string& tag = node.Tag();
    if (tag == "!" || tag == "tag:yaml.org,2002:str") return Value(node.Scalar());  // quoted, or said to be a text
    if (tag == "tag:yaml.org,2002:binary") return Value(node.Scalar());
    try {
      return resolveYamlScalar(node.Scalar());
    } catch (const YamlError& e) {
      throw YamlError(e.what(), line);
    }
  }

  Value sequence(const YAML::Node& node, const std::string& path, std::size_t depth) {
    Array items;
    for (const auto& item : node) {
      const std::string at = fmt::format("{}[{}]", path, items.size());
      out_.lines[at] = lineOf(item.Mark());
      items.push_back(read(item, at, depth + 1));
    }
    return items;
  }

  Value map(const YAML::Node& node, const std::string& path, std::size_t depth) {
    Object members;
    std::vector<YAML::Node> merged;
    for (const auto& member : node) {
      const std::size_t line = lineOf(member.first.Mark());
      if (!member.first.IsScalar() && !member.first.IsNull()) throw YamlError("a key must be a scalar", line);
      if (isMergeKey(member.first)) {
        merged.push_back(member.second);
        continue;
      }
      const std::string key = keyText(member.first, line);
      const std::string at = path.empty() ? key : fmt::format("{}.{}", path, key);
      if (members.contains(key)) throw YamlError(fmt::format("key \"{}\" is there twice", key), line);
      out_.lines[at] = line;
      members[key] = read(member.second, at, depth + 1);
    }
    for (const auto& from : merged) mergeIn(members, from, path, depth);
    return members;
  }

  static bool isMergeKey(const YAML::Node& key) { return key.IsScalar() && key.Scalar() == "<<" && key.Tag() != "!"; }

  // `<<: *base` and `<<: [*a, *b]`: what is there already wins.
  void mergeIn(Object& members, const YAML::Node& from, const std::string& path, std::size_t depth) {
    if (from.IsSequence()) {
      for (const auto& each : from) mergeIn(members, each, path, depth + 1);
      return;
    }
    if (!from.IsMap()) throw YamlError("only a map can be merged in", lineOf(from.Mark()));
    const Value other = read(from, path, depth + 1);
    for (const auto& [key, value] : other.get_object())
      if (!members.contains(key)) members[key] = value;
  }

  // Keys become texts the way Go spells the value: yes: → "true", 0x10: → "16".
  static std::string keyText(const YAML::Node& key, std::size_t line) {
    if (key.IsNull()) return "null";
    const Value v = scalar(key, line);
    return v.is_string() ? std::string(v.get_string()) : json::serialize(v);
  }

  YamlDocument& out_;
  const YamlLimits& limits_;
  std::size_t nodes_ = 0;
};

// Sees that yaml-cpp gets on: at ",]" it reports empty documents at the same place without end.
class Progress final : public YAML::EventHandler {
 public:
  explicit Progress(const YamlLimits& limits) : limits_(limits) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (mark.pos == begin_) throw YamlError("a value was expected here", lineOf(mark));
    begin_ = mark.pos;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { count(mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { count(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& text) override {
    count(mark);
    if (!isUtf8(text)) throw YamlError("a text that is not UTF-8", lineOf(mark));  // yaml-cpp lets it pass
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    count(mark);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    count(mark);
  }
  void OnMapEnd() override {}

 private:
  void count(const YAML::Mark& mark) {
    if (++nodes_ > limits_.nodes) throw YamlError("too many values", lineOf(mark));
  }

  const YamlLimits& limits_;
  int begin_ = -1;
  std::size_t nodes_ = 0;
};

// Throws before any tree is built of a text that would never end, or be too large.
void demandAnEnd(const std::string& text, const YamlLimits& limits) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  Progress progress(limits);
  while (parser.HandleNextDocument(progress)) {
  }
}

YamlDocument readDocument(const YAML::Node& root, const YamlLimits& limits) {
  YamlDocument out;
  out.line = std::max<std::size_t>(1, lineOf(root.Mark()));
  out.value = Reader(out, limits).read(root, "", 0);
  return out;
}

}  // namespace

std::vector<YamlDocument> parseYaml(std::string_view text, YamlLimits limits) {
  if (text.size() > limits.bytes)
    throw YamlError(fmt::format("text of {} bytes is over the limit of {}", text.size(), limits.bytes), 0);
  std::vector<YamlDocument> out;
  try {
    const std::string copy(text);
    demandAnEnd(copy, limits);
    for (const YAML::Node& root : YAML::LoadAll(copy))
      if (root.IsDefined() && !root.IsNull()) out.push_back(readDocument(root, limits));
  } catch (const YAML::Exception& e) {
    throw YamlError(e.msg, lineOf(e.mark));
  }
  return out;
}

Value parseYamlValue(std::string_view text, YamlLimits limits) {
  auto all = parseYaml(text, limits);
  if (all.empty()) return {};
  if (all.size() > 1) throw YamlError("expected one document", all[1].line);
  return std::move(all.front().value);
}

}  // namespace ingot::json
