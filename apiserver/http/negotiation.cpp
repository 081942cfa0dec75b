#include "apiserver/http/negotiation.hpp"

#include "apiserver/registry/status.hpp"
#include "base/text.hpp"

#include <cctype>

namespace ingot::apiserver {

namespace {

std::string_view trim(std::string_view t) {
  while (!t.empty() && std::isspace(static_cast<unsigned char>(t.front()))) t.remove_prefix(1);
  while (!t.empty() && std::isspace(static_cast<unsigned char>(t.back()))) t.remove_suffix(1);
  return t;
}

// The piece up to `separator`, taken off the front of `rest`.
std::string_view take(std::string_view& rest, char separator) {
  const auto at = rest.find(separator);
  const std::string_view piece = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return trim(piece);
}

MediaRange parseRange(std::string_view text) {
  MediaRange out;
  out.type = base::lower(take(text, ';'));
  while (!text.empty()) {
    std::string_view parameter = take(text, ';');
    const std::string_view name = take(parameter, '=');
    if (name == "q")
      out.quality = std::atof(std::string(parameter).c_str());
    else
      out.parameters.emplace_back(name, parameter);
  }
  return out;
}

ApiError notAcceptable(Answer answer) {
  Status status{.code = 406, .reason = "NotAcceptable"};
  status.message = answer == Answer::watch
                       ? "only the following media types are accepted: application/json;stream=watch, "
                         "application/vnd.kubernetes.protobuf;stream=watch"
                       : "only the following media types are accepted: application/json, application/yaml, "
                         "application/vnd.kubernetes.protobuf";
  return ApiError(std::move(status));
}

// The form that `range` asks for; nullopt: one we do not have.
std::optional<Wanted::Form> formOf(const MediaRange& range, Answer answer) {
  const std::string as = range.parameter("as");
  if (as.empty()) return Wanted::Form::object;
  const std::string version = range.parameter("v");
  if (range.parameter("g") != "meta.k8s.io" || (version != "v1" && version != "v1beta1")) return std::nullopt;
  if (as == "Table") return Wanted::Form::table;
  if (as == "PartialObjectMetadata" && answer != Answer::list) return Wanted::Form::partial;
  if (as == "PartialObjectMetadataList" && answer == Answer::list) return Wanted::Form::partialList;
  return std::nullopt;
}

}  // namespace

std::string MediaRange::parameter(std::string_view name) const {
  for (const auto& [key, value] : parameters)
    if (key == name) return value;
  return "";
}

std::vector<MediaRange> parseAccept(std::string_view header) {
  std::multimap<double, MediaRange, std::greater<>> ranked;  // equal ones keep their order
  while (!header.empty()) {
    const std::string_view piece = take(header, ',');
    if (piece.empty()) continue;
    MediaRange range = parseRange(piece);
    ranked.emplace(range.quality, std::move(range));
  }
  std::vector<MediaRange> out;
  for (auto& [quality, range] : ranked) out.push_back(std::move(range));
  return out;
}

Wanted negotiate(std::string_view accept, Answer answer) {
  if (trim(accept).empty()) return {};
  for (const auto& range : parseAccept(accept)) {
    const bool json = range.type == "application/json" || range.type == "*/*" || range.type == "application/*";
    const bool yaml = range.type == "application/yaml" && answer != Answer::watch;
    if (!json && !yaml) continue;
    const auto form = formOf(range, answer);
    if (!form) continue;
    Wanted wanted{.form = *form, .yaml = yaml};
    if (*form != Wanted::Form::object) wanted.version = range.parameter("v");
    return wanted;
  }
  throw notAcceptable(answer);
}

bool wantsAggregatedDiscovery(std::string_view accept) {
  bool gone = false;
  for (const auto& range : parseAccept(accept)) {
    if (range.type != "application/json" && range.type != "*/*" && range.type != "application/*") continue;
    if (range.parameter("as").empty()) return false;
    if (range.parameter("as") == "APIGroupDiscoveryList" && range.parameter("v") == "v2") return true;
    gone = true;
  }
  if (gone) throw notAcceptable(Answer::single);
  return false;
}

}  // namespace ingot::apiserver
