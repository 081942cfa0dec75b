// In the place of net::Loopback: the same handlers behind real servers, reached through libredfish, under the same
// manual clock. Time does not move while bytes are under way, only while a handler waits for it.
#pragma once

#include "net/client.hpp"
#include "net/server.hpp"

#include <map>
#include <memory>
#include <string>

namespace ingot::tests {

class WiredTransport final : public net::HttpTransport {
 public:
  explicit WiredTransport(base::Runtime runtime);
  ~WiredTransport() override;

  // The client speaks plain HTTP to it, whatever `origin` says: libredfish refuses to verify.
  void serve(const std::string& origin, net::HttpHandler& handler);

  // Ends the servers: before the handlers are destroyed.
  [[nodiscard]] base::Task<void> close();

  // Trust that libredfish cannot prove is what tests/bmc/libredfish/possible_test.cpp is about; none is asked for here.
  // Errors name the origin that was asked for.
  [[nodiscard]] std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override;

 private:
  struct Place;

  base::Runtime runtime_;
  std::map<std::string, std::unique_ptr<Place>> places_;  // by origin
  std::unique_ptr<net::HttpTransport> libredfish_;
};

}  // namespace ingot::tests
