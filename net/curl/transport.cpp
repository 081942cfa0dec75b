// The client's face: coroutines over exchanges.
#include "base/parking.hpp"
#include "base/process_limits.hpp"
#include "net/certificates.hpp"
#include "net/curl/checked_files.hpp"
#include "net/curl/exchange.hpp"
#include "net/kept_connections.hpp"
#include "net/openssl.hpp"

#include <openssl/x509.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace ingot::net {
namespace curl {
namespace {

using base::Duration;
using base::Task;

// Found out when the client is made, not at its first request.
void checkKeyMaterial(const ClientTls& tls, CheckedFiles& files) {
  const auto refuse = [](const std::string& text) { throw HttpError(HttpError::Code::tls, text); };
  if (!tls.pinnedKeys.empty() && !arePinnedKeys(tls.pinnedKeys))
    refuse("a pinned public key is given as sha256//BASE64 of its SHA-256, several with ';' between them");
  if (!tls.caPem.empty()) {
    const auto given = openssl::readCertificates(tls.caPem);
    if (given.empty()) refuse("the CA given for TLS holds no PEM certificate");
    if (!std::ranges::all_of(given, openssl::verifiesQuickly, &openssl::Certificate::get))
      refuse("the CA given for TLS has a key that takes too long to verify with");
  }
  try {
    if (tls.caPem.empty() && !tls.caFile.empty()) files.check(tls.caFile);
  } catch (const base::Error& e) {
    refuse(std::string("the CA file is not usable: ") + e.what());
  }
  if (tls.certificatePem.empty()) return;
  const auto certificates = openssl::readCertificates(tls.certificatePem);
  const auto key = openssl::readPrivateKey(tls.privateKeyPem.reveal());
  if (certificates.empty() || !key || X509_check_private_key(certificates.front().get(), key.get()) != 1) {
    refuse("the client certificate and its private key do not belong together or are not PEM");
  }
  if (!openssl::signsQuickly(key.get())) {
    refuse(fmt::format(
        "the client's private key must be RSA of {} bits at most, with exponents and factors as short, ECDSA or EdDSA",
        openssl::longestRsaKey));
  }
}

class Stream final : public HttpStream {
 public:
  Stream(std::unique_ptr<Exchange> exchange, base::Semaphore::Units unit)
      : unit_(std::move(unit)), exchange_(std::move(exchange)) {}

  [[nodiscard]] int status() const override { return exchange_->response().status; }
  [[nodiscard]] const Headers& headers() const override { return exchange_->response().headers; }

  Task<std::optional<std::string>> next(Duration idle) override {
    auto& exchange = *exchange_;
    auto& clock = exchange.client().runtime.clock;
    const auto deadline = clock.now() + idle;
    while (exchange.body().empty() && !exchange.done()) {
      if (!co_await exchange.changed.waitUntil(clock, deadline)) {
        throw exchange.timeoutError("the stream was silent for too long");
      }
    }
    if (!exchange.body().empty()) co_return exchange.takeBody();
    exchange.throwIfFailed();
    co_return std::nullopt;
  }

 private:
  base::Semaphore::Units unit_;  // given back after the connection is closed or pooled
  std::unique_ptr<Exchange> exchange_;
};

// Returns a free connection at once, so that the request's name, which only errors show, need not be built.
Task<base::Semaphore::Units> connection(ClientState& state, base::MonoTime deadline, const Exchange& exchange) {
  auto& all = state.connections;
  if (all.available() > 0 && all.waiting() == 0) return all.acquire();
  return acquireConnection(all, state.runtime.clock, deadline, exchange.name());
}

class Client final : public HttpClient {
 public:
  explicit Client(std::shared_ptr<ClientState> state) : state_(std::move(state)) {}

  Task<HttpResponse> send(HttpRequest request) override {
    const auto state = state_;
    const auto deadline = state->runtime.clock.now() + request.deadline;
    Exchange exchange(state, std::move(request), Exchange::Body::collect);
    const auto unit = co_await connection(*state, deadline, exchange);
    exchange.start(deadline - state->runtime.clock.now());
    while (!exchange.done()) co_await exchange.changed.wait();
    exchange.throwIfFailed();
    co_return exchange.takeResponse();
  }

  Task<std::unique_ptr<HttpStream>> open(HttpRequest request) override {
    const auto state = state_;
    auto& clock = state->runtime.clock;
    const auto deadline = clock.now() + request.deadline;
    auto exchange = std::make_unique<Exchange>(state, std::move(request), Exchange::Body::stream);
    auto unit = co_await connection(*state, deadline, *exchange);
    exchange->start(Duration::zero());
    while (!exchange->headersComplete()) {
      if (!co_await exchange->changed.waitUntil(clock, deadline)) {
        throw exchange->timeoutError("no headers of an answer in time");
      }
    }
    if (exchange->response().status == 0) exchange->throwIfFailed();
    co_return std::make_unique<Stream>(std::move(exchange), std::move(unit));
  }

 private:
  std::shared_ptr<ClientState> state_;
};

// libcurl walks over all kept connections of a loop at the end of each transfer, so thousands are spread over a few
// loops: all of one origin on the same, for they may be taken up by its next client. A loop keeps a copy of the CA. As
// origins do not spread evenly, each has some room to spare: one that overflows keeps hardly any connection until its
// next poll.
class Transport final : public HttpTransport {
 public:
  static constexpr std::size_t mostKept = 8192, keptInOneLoop = 512, mostLoops = 16;

  Transport(base::Runtime runtime, LowSpeedLimit lowSpeed, std::size_t keptConnections = mostKept)
      : runtime_(std::move(runtime)),
        lowSpeed_(lowSpeed),
        loops_(std::clamp<std::size_t>(keptConnections / keptInOneLoop, 1, mostLoops)),
        keptInLoop_(keptIn(loops_.size(), keptConnections)) {
    base::ignoreBrokenPipes();
  }

  std::unique_ptr<HttpClient> connect(ClientOptions options) override {
    auto loop = loopFor(Origin::parse(options.baseUrl));
    auto state = std::make_shared<ClientState>(runtime_, std::move(options), std::move(loop), idle_, lowSpeed_);
    checkKeyMaterial(state->options.tls, checkedFiles_);
    return std::make_unique<Client>(std::move(state));
  }

 private:
  static std::size_t keptIn(std::size_t loops, std::size_t all) {
    if (loops == 1) return std::max<std::size_t>(1, all);
    const auto even = static_cast<double>(all) / static_cast<double>(loops);
    return static_cast<std::size_t>(even + 4 * std::sqrt(even));
  }

  std::shared_ptr<Loop> loopFor(const Origin& origin) {
    auto& loop = loops_[std::hash<std::string>{}(origin.url.origin()) % loops_.size()];
    if (!loop) loop = std::make_shared<Loop>(runtime_.executor, keptInLoop_);
    return loop;
  }

  base::Runtime runtime_;
  LowSpeedLimit lowSpeed_;
  std::vector<std::shared_ptr<Loop>> loops_;  // made when they are first needed
  std::size_t keptInLoop_;
  CheckedFiles checkedFiles_;
  std::shared_ptr<IdleHandles> idle_ = std::make_shared<IdleHandles>();
};

}  // namespace

std::unique_ptr<HttpTransport> transport(base::Runtime runtime, LowSpeedLimit lowSpeed) {
  return std::make_unique<Transport>(std::move(runtime), lowSpeed);
}

}  // namespace curl

std::unique_ptr<HttpTransport> curlTransport(base::Runtime runtime) { return curl::transport(std::move(runtime), {}); }

std::unique_ptr<HttpTransport> curlTransport(base::Runtime runtime, std::size_t keptConnections) {
  return std::make_unique<curl::Transport>(std::move(runtime), curl::LowSpeedLimit{}, keptConnections);
}

}  // namespace ingot::net
