// The connections of one Api to its server. Watches have connections of their own, so that they do not make calls wait.
// Client certificates rotate under a running process: their files are read again after a minute, and at once when the
// server refused them. A changed certificate makes new connections; the earlier ones go on until they end.
#pragma once

#include "base/runtime.hpp"
#include "net/client.hpp"

#include <memory>
#include <optional>
#include <string>

namespace ingot::kube {

// Where the client certificate came from; empty: it does not change.
struct CertificateFiles {
  std::string certificate, privateKey;
  [[nodiscard]] bool any() const { return !certificate.empty() || !privateKey.empty(); }
};

class Connections {
 public:
  // `transport` outlives this. `options.tls` holds what the files held at first.
  Connections(base::Runtime runtime, net::HttpTransport& transport, net::ClientOptions options, CertificateFiles files);

  // Shared: a request holds on to the client that it was sent by.
  [[nodiscard]] std::shared_ptr<net::HttpClient> calls();
  [[nodiscard]] std::shared_ptr<net::HttpClient> watches();
  // The server did not accept our certificate. Returns true when there is another one to try.
  [[nodiscard]] bool refused();

 private:
  void readWhenDue();
  [[nodiscard]] bool read();
  void connect(net::ClientTls tls);

  base::Runtime runtime_;
  net::HttpTransport& transport_;
  net::ClientOptions options_;
  CertificateFiles files_;
  std::shared_ptr<net::HttpClient> calls_, watches_;
  base::MonoTime readAt_;
  std::string problem_;  // of the last reading, told already
};

}  // namespace ingot::kube
