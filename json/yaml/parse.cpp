#include "base/utf8.hpp"
#include "json/yaml.hpp"
#include "json/yaml/plain.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>

namespace ingot::json {

YamlError::YamlError(const std::string& problem, std::size_t line)
    : Error(line == 0 ? problem : fmt::format("line {}: {}", line, problem)), line_(line) {}

namespace {

std::size_t lineOf(const YAML::Mark& mark) { return mark.is_null() ? 0 : static_cast<std::size_t>(mark.line) + 1; }

enum class Lines { noted, skipped };

// What all documents of a stream have taken so far.
class Budget {
 public:
  explicit Budget(const YamlLimits& limits) : limits_(limits) {}

  void node(std::size_t depth, std::size_t line) {
    if (depth > limits_.depth) throw YamlError("nested too deeply", line);
    if (++nodes_ > limits_.nodes) throw YamlError("too many values", line);
  }
  void text(std::size_t size, std::size_t line) {
    bytes_ += size;
    if (bytes_ > limits_.bytes)
      throw YamlError(fmt::format("more than {} bytes once its aliases are followed", limits_.bytes), line);
  }
  // Whether the paths of lines may still grow by `size`.
  [[nodiscard]] bool path(std::size_t size) { return (paths_ += size) <= limits_.bytes; }

 private:
  const YamlLimits& limits_;
  std::size_t nodes_ = 0, bytes_ = 0, paths_ = 0;
};

// One document: yaml-cpp's tree → Value, noting the line of every path.
class Reader {
 public:
  Reader(YamlDocument& out, Budget& budget, Lines lines) : out_(out), budget_(budget), notes_(lines == Lines::noted) {}

  Value read(const YAML::Node& node, const std::string& path, std::size_t depth) {
    const std::size_t line = lineOf(node.Mark());
    budget_.node(depth, line);
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
  Value scalar(const YAML::Node& node, std::size_t line) {
    budget_.text(node.Scalar().size(), line);
    const std::string& tag = node.Tag();
    if (tag == "!" || tag == "tag:yaml.org,2002:str") return Value(node.Scalar());  // quoted, or said to be a text
    if (tag == "tag:yaml.org,2002:binary") return Value(node.Scalar());
    try {
      return yaml::resolve(node.Scalar());
    } catch (const YamlError& e) {
      throw YamlError(e.what(), line);
    }
  }

  Value sequence(const YAML::Node& node, const std::string& path, std::size_t depth) {
    Array items;
    for (const auto& item : node) {
      const std::string at = notes_ ? fmt::format("{}[{}]", path, items.size()) : "";
      note(at, lineOf(item.Mark()));
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
      const std::string at = notes_ ? below(path, key) : "";
      if (members.contains(key)) throw YamlError(fmt::format("key \"{}\" is there twice", key), line);
      note(at, line);
      members[key] = read(member.second, at, depth + 1);
    }
    for (const auto& from : merged) mergeIn(members, from, path, depth);
    return members;
  }

  static std::string below(const std::string& path, const std::string& key) {
    return path.empty() ? key : fmt::format("{}.{}", path, key);
  }

  void note(const std::string& path, std::size_t line) {
    notes_ = notes_ && budget_.path(path.size());
    if (notes_) out_.lines[path] = line;
  }

  static bool isMergeKey(const YAML::Node& key) { return key.IsScalar() && key.Scalar() == "<<" && key.Tag() != "!"; }

  // `<<: *base` and `<<: [*a, *b]`: what is there already wins.
  void mergeIn(Object& members, const YAML::Node& from, const std::string& path, std::size_t depth) {
    if (from.IsSequence()) {
      budget_.node(depth, lineOf(from.Mark()));  // it may hold itself
      for (const auto& each : from) mergeIn(members, each, path, depth + 1);
      return;
    }
    if (!from.IsMap()) throw YamlError("only a map can be merged in", lineOf(from.Mark()));
    const Value other = read(from, path, depth + 1);
    for (const auto& [key, value] : other.get_object())
      if (!members.contains(key)) members[key] = value;
  }

  // Keys become texts the way Go spells the value: yes: → "true", 0x10: → "16".
  std::string keyText(const YAML::Node& key, std::size_t line) {
    if (key.IsNull()) return "null";
    const Value v = scalar(key, line);
    return v.is_string() ? std::string(v.get_string()) : json::serialize(v);
  }

  YamlDocument& out_;
  Budget& budget_;
  bool notes_;
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
    if (!base::isUtf8(text)) throw YamlError("a text that is not UTF-8", lineOf(mark));  // yaml-cpp lets it pass
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

YamlDocument readDocument(const YAML::Node& root, Budget& budget, Lines lines) {
  YamlDocument out;
  out.line = std::max<std::size_t>(1, lineOf(root.Mark()));
  out.value = Reader(out, budget, lines).read(root, "", 0);
  return out;
}

std::vector<YamlDocument> documentsOf(std::string_view text, const YamlLimits& limits, Lines lines) {
  if (text.size() > limits.bytes)
    throw YamlError(fmt::format("text of {} bytes is over the limit of {}", text.size(), limits.bytes), 0);
  std::vector<YamlDocument> out;
  Budget budget(limits);
  try {
    const std::string copy(text);
    demandAnEnd(copy, limits);
    for (const YAML::Node& root : YAML::LoadAll(copy))
      if (root.IsDefined() && !root.IsNull()) out.push_back(readDocument(root, budget, lines));
  } catch (const YAML::Exception& e) {
    throw YamlError(e.msg, lineOf(e.mark));
  }
  return out;
}

}  // namespace

std::vector<YamlDocument> parseYaml(std::string_view text, YamlLimits limits) {
  return documentsOf(text, limits, Lines::noted);
}

Value parseYamlValue(std::string_view text, YamlLimits limits) {
  auto all = documentsOf(text, limits, Lines::skipped);
  if (all.empty()) return {};
  if (all.size() > 1) throw YamlError("expected one document", all[1].line);
  return std::move(all.front().value);
}

}  // namespace ingot::json
