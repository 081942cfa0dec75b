// The HTTPS server to which BMCs push their events (docs/decisions/0026). What comes is a hint that something has
// happened, and no fact: whoever knows the URL of a BMC can have its hosts read, and nothing else. Of one URL few
// requests are taken at a time, and five a second: the others are answered 429, so that nobody takes the room of other
// BMCs.
#pragma once

#include "base/pace.hpp"
#include "base/runtime.hpp"
#include "bmc/event_inbox.hpp"
#include "net/server.hpp"

#include <map>
#include <memory>
#include <string>

namespace ingot::agent {

struct EventInboxOptions {
  std::string url;                       // https://HOST[:PORT], as BMCs reach it
  std::string listenAddress;             // HOST:PORT; "": every address, at the port of `url`
  std::string certificateFile, keyFile;  // PEM; "": a certificate of its own making, anew at each start
  std::string secretFile;                // kept, so that URLs stay; made when it is not there
};

class EventInbox final : public bmc::EventInbox, public net::HttpHandler {
 public:
  // Throws base::Error: what cannot be listened on, or read.
  EventInbox(base::Runtime runtime, EventInboxOptions options);
  ~EventInbox() override;

  [[nodiscard]] std::string urlFor(const std::string& bmc) const override;
  [[nodiscard]] std::string prefix() const override;
  [[nodiscard]] bool isSelfSigned() const override { return options_.certificateFile.empty(); }
  [[nodiscard]] std::shared_ptr<void> listen(const std::string& bmc, OnBody onBody) override;

  [[nodiscard]] bool wantsBody(const net::ServerRequest& head) const override;
  [[nodiscard]] bool isAuthenticated(const net::ServerRequest& request) const override;
  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] base::Task<void> stop() { return server_->stop(std::chrono::milliseconds(200)); }

 private:
  class Listening;
  // Who sends to one URL at the moment.
  struct Door {
    std::map<std::string, base::MonoTime> senders;  // by address and port; until when it may take
    base::Pace pace{std::chrono::milliseconds(200), 5};
  };
  [[nodiscard]] bool admits(const net::ServerRequest& request) const;
  [[nodiscard]] std::string pathFor(const std::string& bmc) const;
  [[nodiscard]] net::ServerTls tls() const;

  base::Runtime runtime_;
  EventInboxOptions options_;
  base::Secret secret_;
  std::multimap<std::string, std::shared_ptr<OnBody>, std::less<>> listeners_;  // by path
  using Doors = std::map<std::string, Door, std::less<>>;
  std::unique_ptr<Doors> doors_ = std::make_unique<Doors>();  // by path
  std::unique_ptr<net::Server> server_;
};

// Why it is not a URL to push to; "": it is.
[[nodiscard]] std::string whyNoEventsUrl(const std::string& url);

}  // namespace ingot::agent
