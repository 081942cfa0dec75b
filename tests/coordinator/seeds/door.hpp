// Between one controller and an API: what it writes meets its fate here, what it watches stands still when told to.
#pragma once

#include "net/server.hpp"
#include "tests/coordinator/seeds/traffic.hpp"

namespace ingot::tests::seeds {

class Door final : public net::HttpHandler {
 public:
  // `author`: whose door it is, "" when it is told from what is written.
  Door(Traffic& traffic, std::string author, net::HttpHandler& api)
      : traffic_(traffic), author_(std::move(author)), api_(api) {}

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  [[nodiscard]] base::Task<void> strike(Fault fault, net::ServerRequest request, net::Responder& out);
  [[nodiscard]] base::Task<void> carryOut(net::ServerRequest request);
  [[nodiscard]] base::Task<void> carryOutLate(net::ServerRequest request, base::Duration after);
  [[nodiscard]] base::Task<void> meddle(net::ServerRequest request);
  [[nodiscard]] base::Task<void> failOn(net::Responder& out, bool done);

  Traffic& traffic_;
  std::string author_;
  net::HttpHandler& api_;
};

}  // namespace ingot::tests::seeds
