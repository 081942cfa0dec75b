#include "coordinator/host/image_auth.hpp"

#include "base/base64.hpp"
#include "json/describe.hpp"

namespace ingot::coordinator::host {
namespace {

constexpr std::string_view currentType = "kubernetes.io/dockerconfigjson", currentKey = ".dockerconfigjson";
constexpr std::string_view legacyType = "kubernetes.io/dockercfg", legacyKey = ".dockercfg";

std::string textOf(const json::Object& entry, std::string_view key) {
  const auto* value = entry.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

PullSecret fromEntry(const json::Object& entry, const std::string& registry) {
  if (const std::string encoded = textOf(entry, "auth"); !encoded.empty()) {
    const auto decoded = base::fromBase64(encoded);
    if (decoded && decoded->find(':') != std::string::npos) return {.credentials = base::Secret(*decoded)};
  }
  const std::string user = textOf(entry, "username");
  const std::string password = textOf(entry, "password");
  if (!user.empty() && !password.empty()) return {.credentials = base::Secret(user + ":" + password)};
  return {.problem = fmt::format("no usable credentials for registry {}", registry)};
}

// Keys may be plain hosts or URLs such as https://index.docker.io/v1/.
bool names(std::string_view key, std::string_view registry) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (key.starts_with(scheme)) key.remove_prefix(scheme.size());
  }
  return key.substr(0, key.find('/')) == registry;
}

}  // namespace

std::string registryOf(std::string_view imageUrl) {
  constexpr std::size_t schemeLength = std::string_view("oci://").size();
  if (imageUrl.size() <= schemeLength) return "";
  const std::string_view rest = imageUrl.substr(schemeLength);
  const std::string host(rest.substr(0, rest.find('/')));
  return host == "docker.io" ? "index.docker.io" : host;
}

PullSecret credentialsFor(const std::string& registry, const base::Secret& document, bool legacy) {
  boost::system::error_code failed;
  const json::Value parsed = boost::json::parse(document.reveal(), failed);
  const auto* root = failed ? nullptr : parsed.if_object();
  if (root != nullptr && !legacy) {
    const auto* auths = root->if_contains("auths");
    root = auths != nullptr ? auths->if_object() : nullptr;
  }
  if (root == nullptr) return {.problem = "the auth secret is not a registry configuration"};
  for (const auto& [key, value] : *root) {
    if (value.is_object() && names(key, registry)) return fromEntry(value.get_object(), registry);
  }
  return {.problem = fmt::format("no credentials for registry {} in the auth secret", registry)};
}

base::Task<PullSecret> imagePullSecret(Scope& s) {
  const auto& image = s.host.spec.image;
  if (!image || !image->isOci() || image->ociAuthSecretName.empty()) co_return PullSecret{};

  std::optional<SecretContent> secret;
  try {
    secret = co_await s.cluster.secret(s.host, image->ociAuthSecretName, {});
  } catch (const kube::Error& error) {
    if (!refusedForGood(error)) throw;
    co_return PullSecret{.problem = fmt::format("auth secret \"{}\" cannot be read and labelled: {}",
                                                image->ociAuthSecretName, error.what())};
  }
  if (!secret) {
    co_return PullSecret{.problem = fmt::format("auth secret \"{}\" not found in namespace \"{}\"",
                                                image->ociAuthSecretName, s.host.metadata.namespace_)};
  }
  const bool legacy = secret->type == legacyType;
  const base::Secret* document = secret->find(legacy ? legacyKey : currentKey);
  if ((!legacy && secret->type != currentType) || document == nullptr) {
    PullSecret refused{.problem = fmt::format("auth secret \"{}\" has unsupported type \"{}\"",
                                              image->ociAuthSecretName, secret->type)};
    s.journal.warning("ImageAuthFormatUnsupported", refused.problem);
    co_return refused;
  }
  PullSecret found = credentialsFor(registryOf(image->url), *document, legacy);
  if (!found.problem.empty()) s.journal.warning("ImageAuthParseError", found.problem);
  co_return found;
}

}  // namespace ingot::coordinator::host
