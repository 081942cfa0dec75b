#include "coordinator/agents/bmc_trust.hpp"

#include "api/bmh/names.hpp"
#include "bmc/model/address.hpp"
#include "net/client.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t longestCa = 16u << 10;  // it goes to agents in one message with the rest
constexpr std::size_t longestPins = 1024;
constexpr std::string_view old = "legacy";

// nullptr: there is none. One that is empty is no reason to trust anybody.
const std::string* annotationOf(const api::BareMetalHost& host, std::string_view name) {
  return host.metadata.annotation(std::string(name));
}

// The agent reads it. Here it is looked at for each host at each step of it.
bool looksLikePem(std::string_view text) {
  const auto isShown = [](unsigned char c) { return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\r' || c == '\t'; };
  return std::ranges::all_of(text, isShown) && text.contains("-----BEGIN CERTIFICATE-----") &&
         text.contains("-----END CERTIFICATE-----");
}

bool hasTls(const std::string& address) {
  try {
    const auto parsed = bmc::parseAddress(address);
    return parsed.traits().protocol != bmc::Protocol::ipmi && !parsed.baseUrl().starts_with("http:");
  } catch (const bmc::AddressError&) {  // the host controller tells the user
    return true;
  }
}

}  // namespace

std::variant<BmcTrust, std::string> bmcTrust(const api::BareMetalHost& host, const host::SecretContent& secret) {
  const auto& name = host.spec.bmc.credentialsName;
  const bool canProve = hasTls(host.spec.bmc.address);
  const auto* pins = annotationOf(host, api::annotation::bmcPinnedKey);
  const auto* tls = annotationOf(host, api::annotation::bmcTls);
  const auto* ca = secret.find(caKey);
  if (!canProve && (pins != nullptr || tls != nullptr))
    return fmt::format("the address {} has no TLS in which the BMC could prove who it is, so {} and {} cannot hold",
                       host.spec.bmc.address, api::annotation::bmcPinnedKey, api::annotation::bmcTls);
  BmcTrust trust;
  if (ca != nullptr && canProve) {  // it may be the Secret of other hosts, too
    trust.ca = ca->reveal();
    if (trust.ca.size() > longestCa)
      return fmt::format("{} of the Secret {} has {} bytes; at most {} are taken", caKey, name, trust.ca.size(),
                         longestCa);
    if (!looksLikePem(trust.ca)) return fmt::format("{} of the Secret {} holds no PEM certificate", caKey, name);
  }
  if (pins != nullptr) {
    trust.pinnedKeys = *pins;
    if (pins->size() > longestPins || !net::arePinnedKeys(*pins))
      return fmt::format("annotation {} is sha256//BASE64 of a public key's SHA-256, several with ';' between them",
                         api::annotation::bmcPinnedKey);
  }
  trust.legacyTls = tls != nullptr;
  if (tls != nullptr && *tls != old)
    return fmt::format("annotation {} may be {} (TLS from 1.0 on) or be left out", api::annotation::bmcTls, old);
  return trust;
}

}  // namespace ingot::coordinator::agents
