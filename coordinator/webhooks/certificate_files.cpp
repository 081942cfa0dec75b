#include "coordinator/webhooks/certificate_files.hpp"

#include "base/file.hpp"

#include <filesystem>

namespace ingot::coordinator::webhooks {
namespace {

constexpr std::size_t longestFile = 1u << 20;

}  // namespace

net::KeyPair readPair(const CertificateFiles& files) {
  const std::filesystem::path folder(files.folder);
  const std::string certificate = folder / files.certificate, key = folder / files.key;
  net::KeyPair pair{.certificatePem = base::readFile(certificate, longestFile),
                    .privateKeyPem = base::Secret(base::readFile(key, longestFile))};
  try {
    if (net::fits(pair)) return pair;
  } catch (const net::CertificateError& problem) {
    throw base::Error(fmt::format("{} and {}: {}", certificate, key, problem.what()));
  }
  throw base::Error(fmt::format("{} is not the key of {}", key, certificate));
}

}  // namespace ingot::coordinator::webhooks
