#include "apiserver/tls/identity.hpp"

#include "base/base64.hpp"
#include "base/file.hpp"
#include "json/codec.hpp"

namespace ingot::apiserver {

namespace {

constexpr base::Duration kRenewBefore = std::chrono::hours(24 * 30);

// A pair of files in the folder; nothing at all when there is no folder.
class KeyFiles {
 public:
  explicit KeyFiles(std::string folder) : folder_(std::move(folder)) {}

  [[nodiscard]] std::optional<net::KeyPair> load(const std::string& name) const {
    if (folder_.empty()) return std::nullopt;
    auto certificate = base::readFileIfExists(path(name, "crt"));
    auto key = base::readFileIfExists(path(name, "key"));
    if (!certificate || !key) return std::nullopt;
    return net::KeyPair{std::move(*certificate), base::Secret(std::move(*key))};
  }

  // The missing one of the two files, when the other is there.
  [[nodiscard]] std::optional<std::string> missingHalf(const std::string& name) const {
    if (folder_.empty()) return std::nullopt;
    const bool certificate = base::readFileIfExists(path(name, "crt")).has_value();
    const bool key = base::readFileIfExists(path(name, "key")).has_value();
    if (certificate == key) return std::nullopt;
    return path(name, certificate ? "key" : "crt");
  }

  void save(const std::string& name, const net::KeyPair& pair) const {
    if (folder_.empty()) return;
    base::writeFileAtomically(path(name, "key"), pair.privateKeyPem.reveal(), 0600);
    base::writeFileAtomically(path(name, "crt"), pair.certificatePem, 0600);
  }

 private:
  [[nodiscard]] std::string path(const std::string& name, const char* suffix) const {
    return fmt::format("{}/{}.{}", folder_, name, suffix);
  }
  std::string folder_;
};

// Good for a while yet, and of this authority. One that is damaged can be issued again.
bool isUsable(const std::optional<net::KeyPair>& pair, const std::string& ca, base::WallTime now) {
  const auto until = pair ? net::servesUntil(*pair, ca) : std::nullopt;
  return until && *until - now > kRenewBefore;
}

bool isAddress(const std::string& name) {
  return name.find(':') != std::string::npos || name.find_first_not_of("0123456789.") == std::string::npos;
}

net::ServerCertificate wanted(const std::vector<std::string>& names) {
  net::ServerCertificate out{.commonName = "ingot-apiserver", .dnsNames = {}, .ipAddresses = {}};
  for (const auto& name : names) (isAddress(name) ? out.ipAddresses : out.dnsNames).push_back(name);
  return out;
}

net::CertificateAuthority openAuthority(const KeyFiles& files, base::WallTime now) {
  if (const auto missing = files.missingHalf("ca"))
    throw base::Error(*missing +
                      " is missing: restore it; or remove the other half too, for a new authority that none of "
                      "the certificates and kubeconfigs of now belongs to");
  if (auto pair = files.load("ca")) return net::CertificateAuthority::load(std::move(*pair));
  auto fresh = net::CertificateAuthority::create("ingot-ca", now);
  files.save("ca", fresh.keyPair());
  return fresh;
}

std::string block(std::string_view key, std::string_view pem) {
  return fmt::format("{}: {}", key, base::toBase64(pem));
}

}  // namespace

Identity openIdentity(const std::string& folder, const std::vector<std::string>& names, base::WallTime now) {
  if (!folder.empty()) base::makeFolder(folder);
  const KeyFiles files(folder);
  const net::CertificateAuthority authority = openAuthority(files, now);
  const std::string& ca = authority.certificatePem();
  auto server = files.load("server");
  if (!isUsable(server, ca, now) || !net::covers(server->certificatePem, names)) {
    server = authority.issue(wanted(names), now);
    files.save("server", *server);
  }
  auto admin = files.load("admin");
  if (!isUsable(admin, ca, now)) {
    admin = authority.issue(
        net::ClientCertificate{.commonName = "kubernetes-admin", .organizations = {"system:masters"}}, now);
    files.save("admin", *admin);
  }
  return {.caPem = ca, .server = std::move(*server), .admin = std::move(*admin)};
}

std::string kubeconfigText(const std::string& url, const Identity& identity) {
  return fmt::format(
      "apiVersion: v1\nkind: Config\nclusters:\n- name: ingot\n  cluster:\n    server: {}\n    {}\n"
      "users:\n- name: admin\n  user:\n    {}\n    {}\n"
      "contexts:\n- name: ingot\n  context:\n    cluster: ingot\n    user: admin\n    namespace: default\n"
      "current-context: ingot\n",
      url, block("certificate-authority-data", identity.caPem),
      block("client-certificate-data", identity.admin.certificatePem),
      block("client-key-data", identity.admin.privateKeyPem.reveal()));
}

}  // namespace ingot::apiserver
