// The Redfish service of one BMC: faults, who may ask, ETags, the journal; then the resource.
#pragma once

#include "base/runtime.hpp"
#include "net/client.hpp"
#include "net/server.hpp"
#include "sim/machine/machine.hpp"
#include "sim/redfish/personality.hpp"
#include "sim/redfish/state.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace ingot::sim::redfish {

struct Reply;
struct Call;
struct Found;

// With which a BMC pushes what it has to tell. Lent; the tasks are closed before the service dies.
struct Pushing {
  net::HttpTransport* transport = nullptr;  // nullptr: it takes subscriptions and pushes nothing
  base::TaskGroup* tasks = nullptr;
};

class Service final : public net::HttpHandler {
 public:
  // Both are lent and outlive the service.
  Service(base::Runtime runtime, Machine& machine, Journal& journal, Pushing pushing = {});
  ~Service() override;

  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  // `plain`: the path as the plain service has it; nullopt: this BMC has nothing there.
  [[nodiscard]] Reply answer(const net::ServerRequest& request, const std::optional<std::string>& plain);
  [[nodiscard]] Reply refuseStranger(const net::ServerRequest& request);
  // The account behind the request; nullptr when it may not ask.
  [[nodiscard]] const Account* userOf(const net::ServerRequest& request);
  [[nodiscard]] Reply dispatch(const net::ServerRequest& request, std::string_view path, const Found& found,
                               const Account* user);
  [[nodiscard]] std::optional<Reply> whyMismatch(const net::ServerRequest& request, std::string_view path,
                                                 const Account* user);
  // The resource as it is now.
  [[nodiscard]] Reply look(std::string_view path, const Account* user);
  void expandMembers(Reply& collection, const Account* user);
  void recordRefusedLogin(const net::ServerRequest& request);
  void recordChange(const net::ServerRequest& request, const std::string& user, const Call& call, int status);
  [[nodiscard]] State& state();

  [[nodiscard]] bool diesOfHaste();
  void serveSubscriptions();

  base::Runtime runtime_;
  const Traits& traits_;
  std::deque<base::MonoTime> asked_;  // of Fault::fragile: the requests of the last second
  unsigned bmcBoots_ = 0;             // of the machine, when it was asked last
  Machine& machine_;
  Journal& journal_;
  Pushing pushing_;
  std::unique_ptr<State> state_;  // made at first use
};

}  // namespace ingot::sim::redfish
