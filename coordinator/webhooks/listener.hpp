// The HTTPS side: carries reviews to the answers, and bounds what strangers can make it do.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "coordinator/webhooks/address_watches.hpp"
#include "coordinator/webhooks/body_budget.hpp"
#include "coordinator/webhooks/certificate_files.hpp"
#include "coordinator/webhooks/lookup_turns.hpp"
#include "coordinator/webhooks/paths.hpp"
#include "kube/client/api.hpp"
#include "net/server.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ingot::coordinator::webhooks {

struct ListenerOptions {
  std::string address;  // "": every address of the machine
  std::uint16_t port = 9443;
  CertificateFiles files;
  std::function<net::KeyPair()> pair;              // in place of the files; throws base::Error as long as there is none
  net::ServerTls tls;                              // versions and cipher suites; the rest is of the files
  base::Duration look = std::chrono::seconds(10);  // for another certificate
  base::Duration lookupTime = std::chrono::seconds(8);  // less than the 10 s that a kube-apiserver waits
  base::Duration requestTimeout = std::chrono::seconds(10);
  std::size_t admissionBytes = 7u << 20;    // of one AdmissionReview
  std::size_t conversionBytes = 32u << 20;  // of one ConversionReview: a list may be long
  std::size_t allBytes = 128u << 20;        // of all bodies at once; one client has half of it
};

class Listener final : public net::HttpHandler {
 public:
  // `api` is where other objects are looked up; lent.
  Listener(base::Runtime runtime, ListenerOptions options, kube::Api& api);

  // Waits for the certificate, serves, and takes up every new one, until cancelled. Throws when the port cannot be had.
  [[nodiscard]] base::Task<void> run();
  // Goes on answering, and has clients connect anew after each answer: to another replica, once this one is no
  // endpoint.
  void leave();
  // Lets running requests finish for a moment. To be awaited before this is destroyed.
  [[nodiscard]] base::Task<void> stop();

  // Why nothing is served yet; "" while it is.
  [[nodiscard]] const std::string& obstacle() const { return obstacle_; }
  [[nodiscard]] std::uint16_t port() const;  // 0 before it serves
  [[nodiscard]] std::optional<base::MonoTime> servesSince() const { return servesSince_; }

  [[nodiscard]] bool wantsBody(const net::ServerRequest& head) const override;
  // Who sends reviews shows no certificate: every connection may have to make room for a newer one.
  [[nodiscard]] bool isAuthenticated(const net::ServerRequest&) const override { return false; }
  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  void takeUpCertificate();
  void listen(const net::KeyPair& pair);
  void complain(const std::string& problem);
  [[nodiscard]] net::ServerTls tlsWith(const net::KeyPair& pair) const;
  [[nodiscard]] std::size_t bodyLengthOf(const net::ServerRequest& head) const;  // throws BadRequest
  [[nodiscard]] base::Task<net::HttpResponse> respond(net::ServerRequest request);
  [[nodiscard]] base::Task<json::Value> answerTo(net::ServerRequest request);
  [[nodiscard]] base::Task<json::Value> judged(json::Value review, const AdmissionPath& path);
  [[nodiscard]] base::Task<std::string> failureOf(base::Task<void> lookUp);
  [[nodiscard]] base::Task<json::Value> converted(json::Value review);

  base::Runtime runtime_;
  ListenerOptions options_;
  kube::Api& api_;
  std::unique_ptr<net::Server> server_;
  std::optional<base::MonoTime> servesSince_;
  bool isLeaving_ = false;
  net::KeyPair pair_;
  std::string obstacle_ = "has not looked for its certificate yet";
  std::string complained_;
  mutable BodyBudget bodies_;
  base::Semaphore conversions_;
  LookupTurns turns_;
  AddressWatches watches_;
};

}  // namespace ingot::coordinator::webhooks
