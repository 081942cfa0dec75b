#include "apiserver/http/list_pieces.hpp"

#include "json/yaml.hpp"

#include <algorithm>

namespace ingot::apiserver {
namespace {

constexpr std::size_t kLongList = 100, kLongBytes = 256u << 10;
constexpr std::size_t kPieceItems = 64, kPieceBytes = 64u << 10;  // of stored text: some milliseconds in any layout

json::Value documentOf(std::string_view text) { return json::parse(text, {.bytes = text.size() + 1, .depth = 256}); }

// The list without its items.
json::Object frameOf(std::string_view head) {
  return documentOf(std::string(head) + std::string(Rendering::listTail)).as_object();
}

// The members of the frame on one side of the items, as YAML sorts them.
std::string yamlBeside(const json::Object& frame, std::string_view items, bool before) {
  json::Object some;
  for (const auto& [name, value] : frame)
    if (name != items && (name < items) == before) some[name] = value;
  return some.empty() ? "" : json::toYaml(some);
}

}  // namespace

bool isLong(const Listed& listed) {
  if (listed.items.size() > kLongList) return true;
  std::size_t bytes = 0;
  for (const auto& item : listed.items) bytes += item->body.size();
  return bytes > kLongBytes;
}

ListPieces::ListPieces(const Rendering& form, const Listed& listed, const ReplyStyle& style)
    : form_(form),
      listed_(listed),
      layout_(style.yaml     ? Layout::yaml
              : style.pretty ? Layout::indented
                             : Layout::compact),
      head_(form.listHead(listed)),
      content_(std::prev(frameOf(head_).end())->key()) {}

std::string ListPieces::next() {
  std::string piece = at_ == 0 ? head() : "";
  const std::size_t end = std::min(listed_.items.size(), at_ + kPieceItems);
  for (std::size_t read = 0; at_ < end && read < kPieceBytes; ++at_) {
    const Object& object = *listed_.items[at_];
    read += object.body.size();
    piece += item(object, at_ == 0);
  }
  if (at_ < listed_.items.size()) return piece;
  done_ = true;
  piece += tail();
  return piece;
}

std::string ListPieces::head() const {
  switch (layout_) {
    case Layout::compact: return head_;
    case Layout::yaml: return yamlBeside(frameOf(head_), content_, true) + content_ + ":\n";
    case Layout::indented: break;
  }
  std::string text = indented(frameOf(head_));
  text.resize(text.size() - std::string_view("]\n}").size());  // it ends with the empty list of items
  return text;
}

std::string ListPieces::item(const Object& object, bool first) const {
  std::string text = form_.listItem(object);
  switch (layout_) {
    case Layout::compact: return first ? text : ',' + text;
    case Layout::yaml: return json::toYaml(json::Array{documentOf(text)});
    case Layout::indented: break;
  }
  return (first ? "\n    " : ",\n    ") + indented(documentOf(text), 2);
}

std::string ListPieces::tail() const {
  switch (layout_) {
    case Layout::compact: return std::string(Rendering::listTail) + '\n';
    case Layout::yaml: return yamlBeside(frameOf(head_), content_, false);
    case Layout::indented: break;
  }
  return "\n  ]\n}\n";
}

}  // namespace ingot::apiserver
