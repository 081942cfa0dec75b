// What a kubelet does with keys that net's authority does not: ask another for a certificate, recognise an authority.
#pragma once

#include "base/secret.hpp"

#include <string>
#include <string_view>

namespace ingot::sim::kubelet {

// A new key (P-256) and a request, both PEM, for the certificate of that user and group.
struct CertificateRequest {
  std::string requestPem;
  base::Secret privateKeyPem;
};
[[nodiscard]] CertificateRequest requestCertificate(const std::string& user, const std::string& group);

// "sha256:…" of the certificate's public key, as kubeadm's caCertHashes have it. Throws base::Error for no certificate.
[[nodiscard]] std::string publicKeyHash(std::string_view certificatePem);

// 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace ingot::sim::kubelet
