#include "api/conversion/move.hpp"

namespace ingot::api::conversion {

namespace {

// The text up to the next dot; `rest` keeps what follows.
std::string_view firstStep(std::string_view& rest) {
  const auto dot = rest.find('.');
  const auto step = rest.substr(0, dot);
  rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  return step;
}

void visitItems(json::Value& list, std::string_view rest, const std::function<void(json::Object&)>& visit) {
  if (!list.is_array()) return;
  for (auto& item : list.get_array()) visitObjects(item, rest, visit);
}

// Takes the member at a dotted path out of the object.
std::optional<json::Value> take(json::Object& from, std::string_view path) {
  const auto step = firstStep(path);
  json::Value* member = from.if_contains(step);
  if (!member) return std::nullopt;
  if (!path.empty()) return member->is_object() ? take(member->get_object(), path) : std::nullopt;
  json::Value out = std::move(*member);
  from.erase(step);
  return out;
}

void putOrDefault(json::Object& into, std::string_view path, std::optional<json::Value> value,
                  std::string_view fallback) {
  if (value) return putMember(into, path, std::move(*value));
  if (!fallback.empty()) putMember(into, path, json::parse(fallback));
}

void up(json::Object& object, std::string_view root, const Move& move) {
  auto value = take(object, move.v1beta1);
  if (move.form == Form::opposite) return;
  if (value) value = formUp(move, root, std::move(*value));
  putOrDefault(object, move.v1beta2, std::move(value), move.upDefault);
}

void down(json::Object& object, const Move& move) {
  if (move.form == Form::opposite) {
    const json::Value* other = object.if_contains(move.v1beta2);
    if (other && other->is_bool()) object[move.v1beta1] = !other->get_bool();
    return;
  }
  auto value = take(object, move.v1beta2);
  if (value) value = formDown(move, std::move(*value));
  putOrDefault(object, move.v1beta1, std::move(value), move.downDefault);
}

}  // namespace

void putMember(json::Object& into, std::string_view path, json::Value value) {
  const auto step = firstStep(path);
  json::Value& member = into[step];
  if (path.empty()) {
    member = std::move(value);
    return;
  }
  if (!member.is_object()) member.emplace_object();
  putMember(member.get_object(), path, std::move(value));
}

void visitObjects(json::Value& root, std::string_view path, const std::function<void(json::Object&)>& visit) {
  if (!root.is_object()) return;
  if (path.empty()) return visit(root.get_object());
  auto step = firstStep(path);
  const bool items = step.ends_with("[]");
  if (items) step.remove_suffix(2);
  for (auto& member : root.get_object()) {
    if (step != "*" && member.key() != step) continue;
    items ? visitItems(member.value(), path, visit) : visitObjects(member.value(), path, visit);
  }
}

void moveUp(json::Value& root, std::string_view path, std::span<const Move> moves) {
  for (const auto& move : moves) visitObjects(root, move.scope, [&](json::Object& o) { up(o, path, move); });
}

void moveDown(json::Value& root, std::span<const Move> moves) {
  for (auto move = moves.rbegin(); move != moves.rend(); ++move)
    visitObjects(root, move->scope, [&](json::Object& o) { down(o, *move); });
}

}  // namespace ingot::api::conversion
