// A small certificate authority: what the embedded API, the simulator and the demo need to speak TLS at first start.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/secret.hpp"
#include "net/server.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::net {

// A certificate (or chain) and its key, both PEM. The key is PKCS#8, P-256.
struct KeyPair {
  std::string certificatePem;
  base::Secret privateKeyPem;
};

// Unreadable PEM, a key that does not fit its certificate, an address that is none.
class CertificateError final : public base::Error {
 public:
  using Error::Error;
};

struct ServerCertificate {
  std::string commonName;
  std::vector<std::string> dnsNames;
  std::vector<std::string> ipAddresses;  // IPv4 or IPv6 without brackets
  base::Duration validity = std::chrono::hours(24 * 365);
};

struct ClientCertificate {
  std::string commonName;                  // Kubernetes: the user
  std::vector<std::string> organizations;  // Kubernetes: its groups
  base::Duration validity = std::chrono::hours(24 * 365);
};

// Signs with its own key. Certificates are valid from one hour before `now` (clocks differ).
class CertificateAuthority {
 public:
  [[nodiscard]] static CertificateAuthority create(std::string_view commonName, base::WallTime now,
                                                   base::Duration validity = std::chrono::hours(24 * 3650));
  // Throws CertificateError when the two do not belong together.
  [[nodiscard]] static CertificateAuthority load(KeyPair pair);

  [[nodiscard]] const KeyPair& keyPair() const { return pair_; }
  [[nodiscard]] const std::string& certificatePem() const { return pair_.certificatePem; }

  [[nodiscard]] KeyPair issue(const ServerCertificate& wanted, base::WallTime now) const;
  [[nodiscard]] KeyPair issue(const ClientCertificate& wanted, base::WallTime now) const;

 private:
  explicit CertificateAuthority(KeyPair pair) : pair_(std::move(pair)) {}
  KeyPair pair_;
};

// All about the first certificate of a PEM text; each throws CertificateError when there is none.
[[nodiscard]] std::string fingerprintSha256(std::string_view pem);  // "3f:0a:…", of the DER form
[[nodiscard]] base::WallTime expiresAt(std::string_view pem);
// Signed by the key of that certificate, which may sign. (The time is not looked at.)
[[nodiscard]] bool isSignedBy(std::string_view pem, std::string_view authorityPem);
// The key belongs to the certificate.
[[nodiscard]] bool fits(const KeyPair& pair);
// How long the pair serves, being of this authority; nullopt: it does not, or is damaged. Never throws.
[[nodiscard]] std::optional<base::WallTime> servesUntil(const KeyPair& pair, std::string_view authorityPem);
// The certificate is good for all of these.
[[nodiscard]] bool covers(std::string_view pem, const std::vector<std::string>& names);
[[nodiscard]] PeerIdentity subjectOf(std::string_view pem);
// Every DNS name and IP address the certificate is good for.
[[nodiscard]] std::vector<std::string> namesOf(std::string_view pem);

// What others may call this machine by, for the certificate of a server that listens on every address: the host name
// and the addresses of interfaces that are up, without loopback and link-local ones. Never throws. It changes with the
// network: ask anew.
[[nodiscard]] std::vector<std::string> machineNames();

}  // namespace ingot::net
