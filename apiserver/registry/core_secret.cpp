// Secrets and ConfigMaps: bounded, base64, and frozen when `immutable` says so.
#include "apiserver/registry/core_resources.hpp"
#include "apiserver/registry/errors.hpp"
#include "base/base64.hpp"
#include "json/codec.hpp"

namespace ingot::apiserver {
namespace {

constexpr std::size_t dataLimit = 1'048'576;
using Causes = std::vector<StatusCause>;

const json::Object* member(const json::Value& object, std::string_view name) { return json::objectAt(object, {name}); }

bool isDataKey(std::string_view key) {
  if (key.empty() || key.size() > 253 || key == "." || key.starts_with("..")) return false;
  return std::all_of(key.begin(), key.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; });
}

void checkKeys(const json::Value& object, std::string_view name, Causes& causes) {
  const auto* data = member(object, name);
  if (!data) return;
  for (const auto& [key, value] : *data) {
    if (isDataKey(key)) continue;
    causes.push_back(invalidValue(fmt::format("{}[{}]", name, std::string_view(key)), jsonText(key),
                                  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
                                  "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
                                  "'[-._a-zA-Z0-9]+')"));
  }
}

// Where Go's decoder would stop: the first byte that base64 does not have, or the end of a cut text.
std::size_t badBase64Offset(std::string_view text) {
  const auto bad = std::find_if(text.begin(), text.end(),
                                [](unsigned char c) { return !std::isalnum(c) && c != '+' && c != '/' && c != '='; });
  if (bad != text.end()) return static_cast<std::size_t>(bad - text.begin());
  return text.size() - text.size() % 4;
}

// Sizes of decoded values, refusing what is not base64 as upstream's decoder does.
std::size_t decodedBytes(const json::Value& object, std::string_view name) {
  const auto* data = member(object, name);
  std::size_t bytes = 0;
  if (!data) return bytes;
  for (const auto& [key, value] : *data) {
    if (!value.is_string()) continue;
    const std::string_view text(value.get_string());
    const auto plain = base::fromBase64(text);
    if (!plain) throw badRequest(fmt::format("illegal base64 data at input byte {}", badBase64Offset(text)));
    bytes += plain->size();
  }
  return bytes;
}

std::size_t textBytes(const json::Value& object, std::string_view name) {
  const auto* data = member(object, name);
  std::size_t bytes = 0;
  if (!data) return bytes;
  for (const auto& [key, value] : *data) bytes += key.size() + (value.is_string() ? value.get_string().size() : 0);
  return bytes;
}

bool sameMember(const json::Value& a, const json::Value& b, std::string_view name) {
  const auto *x = a.get_object().if_contains(name), *y = b.get_object().if_contains(name);
  if (!x || !y) return !x && !y;
  return json::equal(*x, *y);
}

void checkFrozen(const json::Value& object, const json::Value* old, std::initializer_list<std::string_view> frozen,
                 Causes& causes) {
  if (!old || !json::boolAt(*old, {"immutable"}).value_or(false)) return;
  constexpr const char* text = "field is immutable when `immutable` is set";
  if (!json::boolAt(object, {"immutable"}).value_or(false)) causes.push_back(forbiddenValue("immutable", text));
  for (const auto name : frozen) {
    if (!sameMember(object, *old, name)) causes.push_back(forbiddenValue(std::string(name), text));
  }
}

void requireKeys(const json::Value& object, std::initializer_list<std::string_view> keys, Causes& causes) {
  const auto* data = member(object, "data");
  for (const auto key : keys) {
    if (!data || !data->contains(key)) causes.push_back(requiredValue(fmt::format("data[{}]", key)));
  }
}

void checkType(const json::Value& object, const json::Value* old, Causes& causes) {
  const std::string type = json::textAt(object, {"type"});
  if (old && json::textAt(*old, {"type"}) != type) {
    causes.push_back(invalidValue("type", jsonText(type), "field is immutable"));
  }
  if (type == "kubernetes.io/tls") requireKeys(object, {"tls.crt", "tls.key"}, causes);
  if (type == "kubernetes.io/dockerconfigjson") requireKeys(object, {".dockerconfigjson"}, causes);
  if (type == "kubernetes.io/ssh-auth") requireKeys(object, {"ssh-privatekey"}, causes);
  if (type == "kubernetes.io/basic-auth") {
    const auto* data = member(object, "data");
    if (!data || (!data->contains("username") && !data->contains("password"))) {
      causes.push_back(requiredValue("data[username]"));
      causes.push_back(requiredValue("data[password]"));
    }
  }
}

class SecretRules final : public KindRules {
 public:
  // stringData is write-only: it becomes data.
  void prepare(json::Value& object, const WriteContext&, Warnings&) const override {
    auto& secret = object.as_object();
    if (const auto* plain = member(object, "stringData")) {
      json::Object data = member(object, "data") ? *member(object, "data") : json::Object(object.storage());
      for (const auto& [key, value] : *plain) {
        if (value.is_string()) data[key] = base::toBase64(std::string_view(value.get_string()));
      }
      secret["data"] = std::move(data);
    }
    secret.erase("stringData");
    if (json::textAt(object, {"type"}).empty()) secret["type"] = "Opaque";
  }

  Causes validate(const json::Value& object, const json::Value* old, const WriteContext&, Warnings&) const override {
    Causes causes;
    checkKeys(object, "data", causes);
    if (decodedBytes(object, "data") > dataLimit) causes.push_back(tooLong("data", dataLimit));
    checkType(object, old, causes);
    checkFrozen(object, old, {"data"}, causes);
    return causes;
  }
};

class ConfigMapRules final : public KindRules {
 public:
  Causes validate(const json::Value& object, const json::Value* old, const WriteContext&, Warnings&) const override {
    Causes causes;
    checkKeys(object, "data", causes);
    checkKeys(object, "binaryData", causes);
    if (textBytes(object, "data") + decodedBytes(object, "binaryData") > dataLimit) {
      causes.push_back(tooLong("[]", dataLimit));
    }
    checkFrozen(object, old, {"data", "binaryData"}, causes);
    return causes;
  }
};

}  // namespace

RulesPtr secretRules() { return std::make_shared<SecretRules>(); }
RulesPtr configMapRules() { return std::make_shared<ConfigMapRules>(); }

}  // namespace ingot::apiserver
