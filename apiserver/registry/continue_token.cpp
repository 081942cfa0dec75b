#include "apiserver/registry/continue_token.hpp"

#include "apiserver/registry/errors.hpp"
#include "base/base64.hpp"
#include "json/codec.hpp"

namespace ingot::apiserver {
namespace {

[[noreturn]] void refuse(std::string_view problem) {
  throw badRequest(fmt::format("continue key is not valid: {}", problem));
}

std::string toBase64Url(std::string_view bytes) {
  std::string text = base::toBase64(bytes);
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  while (text.ends_with('=')) text.pop_back();
  return text;
}

std::optional<std::string> fromBase64Url(std::string text) {
  std::replace(text.begin(), text.end(), '-', '+');
  std::replace(text.begin(), text.end(), '_', '/');
  while (text.size() % 4 != 0) text += '=';
  return base::fromBase64(text);
}

}  // namespace

std::string ContinueToken::encode() const {
  json::Object token;
  token["v"] = "meta.k8s.io/v1";
  token["rv"] = revision;
  token["start"] = after.space + "/" + after.name + std::string(1, '\0');
  return toBase64Url(json::serialize(token));
}

ContinueToken ContinueToken::decode(std::string_view text) {
  const auto bytes = fromBase64Url(std::string(text));
  if (!bytes) refuse("illegal base64 data");
  json::Value token;
  try {
    token = json::parse(*bytes);
  } catch (const json::ParseError& e) {
    refuse(e.what());
  }
  const auto revision = json::intAt(token, {"rv"});
  std::string start = json::textAt(token, {"start"});
  if (json::textAt(token, {"v"}) != "meta.k8s.io/v1" || !revision || *revision == 0 || *revision < -1) {
    refuse("incorrect encoded start resourceVersion");
  }
  if (start.ends_with('\0')) start.pop_back();
  const auto slash = start.find('/');
  if (slash == std::string::npos) refuse(fmt::format("{}", start));
  return {*revision, {start.substr(0, slash), start.substr(slash + 1)}};
}

}  // namespace ingot::apiserver
