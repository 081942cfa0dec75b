#include "sim/fleet/authority.hpp"

#include "base/file.hpp"

namespace ingot::sim {

net::CertificateAuthority openAuthority(const std::string& folder, base::WallTime now) {
  const auto certificatePath = folder + "/ca.pem";
  const auto keyPath = folder + "/ca.key";
  const auto certificate = base::readFileIfExists(certificatePath);
  const auto key = base::readFileIfExists(keyPath);
  if (certificate && key) return net::CertificateAuthority::load({*certificate, base::Secret(*key)});

  auto fresh = net::CertificateAuthority::create("Ingot simulated BMCs", now);
  base::writeFileAtomically(keyPath, fresh.keyPair().privateKeyPem.reveal());
  base::writeFileAtomically(certificatePath, fresh.certificatePem(), 0644);
  return fresh;
}

}  // namespace ingot::sim
