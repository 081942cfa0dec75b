#include "kube/client/connections.hpp"

#include "base/file.hpp"

namespace ingot::kube {
namespace {

constexpr std::size_t kCallConnections = 16;
// One for each kind and namespace watched: scores of namespaces, a dozen kinds. Each is there because something
// watches.
constexpr std::size_t kWatchConnections = 4096;
constexpr base::Duration kFilesFreshFor = std::chrono::minutes(1);
constexpr std::size_t kPemLimit = 1 << 20;

}  // namespace

Connections::Connections(base::Runtime runtime, net::HttpTransport& transport, net::ClientOptions options,
                         CertificateFiles files)
    : runtime_(runtime.named("kube")),
      transport_(transport),
      options_(std::move(options)),
      files_(std::move(files)),
      readAt_(runtime_.clock.now()) {
  connect(options_.tls);
}

std::shared_ptr<net::HttpClient> Connections::calls() {
  readWhenDue();
  return calls_;
}

std::shared_ptr<net::HttpClient> Connections::watches() {
  readWhenDue();
  return watches_;
}

bool Connections::refused() { return files_.any() && read(); }

void Connections::readWhenDue() {
  if (files_.any() && runtime_.clock.now() - readAt_ >= kFilesFreshFor) static_cast<void>(read());
}

bool Connections::read() {
  readAt_ = runtime_.clock.now();
  try {
    net::ClientTls fresh = options_.tls;
    if (!files_.certificate.empty()) fresh.certificatePem = base::readFile(files_.certificate, kPemLimit);
    if (!files_.privateKey.empty()) fresh.privateKeyPem = base::Secret(base::readFile(files_.privateKey, kPemLimit));
    if (fresh.certificatePem == options_.tls.certificatePem && fresh.privateKeyPem == options_.tls.privateKeyPem)
      return false;
    connect(std::move(fresh));
    problem_.clear();
    runtime_.log.info("the client certificate has changed", {{"file", files_.certificate}});
    return true;
  } catch (const base::Error& e) {
    // Between two versions the files may be missing or not fit each other: the old certificate is good for a while.
    if (problem_ == e.what()) return false;
    problem_ = e.what();
    runtime_.log.warn("the client certificate in its files cannot be used", {{"error", problem_}});
    return false;
  }
}

void Connections::connect(net::ClientTls tls) {
  net::ClientOptions calls = options_;
  calls.tls = tls;
  calls.maxConnections = kCallConnections;
  net::ClientOptions watches = calls;
  watches.maxConnections = kWatchConnections;
  auto forCalls = transport_.connect(std::move(calls));
  watches_ = transport_.connect(std::move(watches));
  calls_ = std::move(forCalls);
  options_.tls = std::move(tls);
}

}  // namespace ingot::kube
