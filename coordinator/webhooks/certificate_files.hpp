// The certificate and key that the webhooks are served with, as files that somebody else (cert-manager, kubelet) writes
// and replaces.
#pragma once

#include "net/certificates.hpp"

namespace ingot::coordinator::webhooks {

struct CertificateFiles {
  std::string folder = "/tmp/k8s-webhook-server/serving-certs/";
  std::string certificate = "tls.crt", key = "tls.key";  // names within the folder
};

// Throws base::Error when a file is missing or unreadable, or when the two do not belong together: in the middle of a
// rotation one of them is new already. Its text names the files and holds nothing of what is in them.
[[nodiscard]] net::KeyPair readPair(const CertificateFiles& files);

}  // namespace ingot::coordinator::webhooks
