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
  [[nodiscard]] base::Task<void> strike(std::shared_ptr<Blow> blow, net::ServerRequest request, net::Responder& out);
  // False: the API has refused it.
  [[nodiscard]] base::Task<bool> carryOut(net::ServerRequest request);
  [[nodiscard]] base::Task<void> carryOutLate(std::shared_ptr<Blow> blow, net::ServerRequest request,
                                              base::Duration after);
  [[nodiscard]] base::Task<bool> meddle(net::ServerRequest request);
  [[nodiscard]] base::Task<void> keepSilent(std::shared_ptr<Blow> blow);
  [[nodiscard]] base::Task<void> failOn(net::Responder& out, bool done);

  Traffic& traffic_;
  std::string author_;
  net::HttpHandler& api_;
};

}  // namespace ingot::tests::seeds
