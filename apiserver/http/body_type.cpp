#include "apiserver/http/body_type.hpp"

#include "apiserver/registry/errors.hpp"
#include "base/text.hpp"

namespace ingot::apiserver {

namespace {

constexpr std::size_t kShown = 30;
constexpr std::string_view kScheme = "in scheme \"pkg/runtime/scheme.go:111\"";

// How upstream shows what it could not read: the beginning of an object, anything else as hexadecimal.
std::string beginning(std::string_view text) {
  if (text.empty()) return "<empty>";
  const std::string_view shown = text.substr(0, kShown);
  const std::string more = text.size() > kShown ? " ..." : "";
  if (text.starts_with('{')) return std::string(shown) + more;
  return base::hex(shown) + more;
}

ApiError wrongKind(const ResourceInfo& info, const std::string& kind, const json::Value& body) {
  ResourceInfo said = info;
  said.kind = kind;
  return invalid(said, json::textAt(body, {"metadata", "name"}),
                 {invalidValue("kind", json::serialize(json::Value(kind)), "must be " + info.kind)});
}

void checkCustom(const json::Value& body, std::string_view text, const ResourceInfo& info, const std::string& version) {
  const std::string kind = json::textAt(body, {"kind"}), apiVersion = json::textAt(body, {"apiVersion"});
  if (kind.empty()) throw unrecognized(info.kind, fmt::format("Object 'Kind' is missing in '{}'", text), text);
  if (apiVersion != info.apiVersion(version))
    throw badRequest(fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                                 apiVersion, info.apiVersion(version)));
  if (kind != info.kind) throw wrongKind(info, kind, body);
}

void checkBuiltIn(const json::Value& body, const ResourceInfo& info, const std::string& version,
                  const Registry& registry) {
  const std::string kind = json::textAt(body, {"kind"}), apiVersion = json::textAt(body, {"apiVersion"});
  const bool sameKind = kind.empty() || kind == info.kind;
  const bool sameVersion = apiVersion.empty() || apiVersion == info.apiVersion(version);
  if (sameKind && sameVersion) return;
  const GroupVersion said = GroupVersion::parse(apiVersion.empty() ? info.apiVersion(version) : apiVersion);
  const std::string shown = kind.empty() ? info.kind : kind;
  std::string problem = fmt::format("no kind \"{}\" is registered for version \"{}\" {}", shown, apiVersion, kScheme);
  if (sameVersion && registry.findKind(said.group, shown))
    problem = fmt::format("converting (v1.{}) to (core.{}): unknown conversion", shown, info.kind);
  throw badRequest(
      fmt::format("{} in version \"{}\" cannot be handled as a {}: {}", shown, version, info.kind, problem));
}

}  // namespace

ApiError unrecognized(std::string_view kind, std::string_view problem, std::string_view text) {
  return badRequest(
      fmt::format("the object provided is unrecognized (must be of type {}): {} ({})", kind, problem, beginning(text)));
}

void checkBodyType(const json::Value& body, std::string_view text, const ResourceInfo& info, const std::string& version,
                   const Registry& registry) {
  if (!body.is_object())
    throw unrecognized(
        info.kind,
        fmt::format("couldn't get version/kind; json parse error: json: cannot unmarshal {} into Go value of "
                    "type struct {{ APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
                    "\"json:\\\"kind,omitempty\\\"\" }}",
                    json::kindName(body)),
        text);
  if (info.custom)
    checkCustom(body, text, info, version);
  else
    checkBuiltIn(body, info, version, registry);
}

}  // namespace ingot::apiserver
