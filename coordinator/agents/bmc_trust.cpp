#include "coordinator/agents/bmc_trust.hpp"

#include "api/bmh/names.hpp"
#include "net/client.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t longestCa = 64u << 10;  // it goes to agents in one message with the rest
constexpr std::size_t longestPins = 1024;
constexpr std::string_view old = "legacy";

std::string annotationOf(const api::BareMetalHost& host, std::string_view name) {
  const auto* value = host.metadata.annotation(std::string(name));
  return value == nullptr ? "" : *value;
}

}  // namespace

std::variant<BmcTrust, std::string> bmcTrust(const api::BareMetalHost& host, const host::SecretContent& secret) {
  BmcTrust trust{.pinnedKeys = annotationOf(host, api::annotation::bmcPinnedKey)};
  if (const auto* ca = secret.find(caKey)) trust.ca = ca->reveal();
  const auto tls = annotationOf(host, api::annotation::bmcTls);
  trust.oldTls = tls == old;
  const auto& name = host.spec.bmc.credentialsName;
  if (trust.ca.size() > longestCa)
    return fmt::format("{} of the Secret {} has {} bytes; at most {} are taken", caKey, name, trust.ca.size(),
                       longestCa);
  if (!trust.ca.empty() && !trust.ca.contains("-----BEGIN CERTIFICATE-----"))  // the agent reads it
    return fmt::format("{} of the Secret {} holds no PEM certificate", caKey, name);
  if (!trust.pinnedKeys.empty() && (trust.pinnedKeys.size() > longestPins || !net::arePinnedKeys(trust.pinnedKeys)))
    return fmt::format("annotation {} is sha256//BASE64 of a public key's SHA-256, several with ';' between them",
                       api::annotation::bmcPinnedKey);
  if (!tls.empty() && !trust.oldTls)
    return fmt::format("annotation {} may be {} (TLS from 1.0 on) or be left out", api::annotation::bmcTls, old);
  return trust;
}

}  // namespace ingot::coordinator::agents
