// The controllers of templates, claims and data, beside address management, in front of a whole API in memory, under
// virtual time. The process can die before or after any of its writes and be started again from what is stored.
#pragma once

#include "coordinator/data/controllers.hpp"
#include "coordinator/ipam/controllers.hpp"
#include "tests/coordinator/data/builders.hpp"
#include "tests/support/api_site.hpp"

#include <algorithm>

namespace ingot::tests {

using api::capi_ipam::IPAddressClaim;
using api::ipam::IPClaim;
using api::ipam::IPPool;

class DataSite : public ApiSite {
 public:
  // With Cluster "c1".
  DataSite();
  ~DataSite();

  void start();
  void kill();  // the process ends where it is
  void restart() { kill(), start(); }

  // --- what a user, Cluster API and the controller of Metal3Machines do ---
  // A Machine with its Metal3Machine, its host host-NAME and its claim.
  void addMachine(const std::string& name, const std::string& dataTemplate = "dt");
  void addHost(const std::string& machine);
  void addClaim(const std::string& machine);
  // Pool prov with two addresses, template dt of kWithPool, and machine m0, at rest.
  void settleOneMachine();
  // Lets go of the claim, then all of it goes.
  void removeMachine(const std::string& name);
  void settle(base::Duration d = std::chrono::seconds(5)) { ApiSite::settle(d); }

  // --- what there is ---
  [[nodiscard]] bool isReady(const std::string& data);
  // What a rendered Secret holds; "" without it.
  [[nodiscard]] std::string textOf(const std::string& secret, const std::string& key);
  [[nodiscard]] int passes(const std::string& controller) const;
  [[nodiscard]] int retries(const std::string& controller) const;
  // What may never be once all is quiet, in words.
  [[nodiscard]] Texts breaches();

  // --- the next start's ---
  bool addressManagement = true;
  std::string watchFilter;
  coordinator::data::NamedBy addressClaims = coordinator::data::NamedBy::data;
  kube::Unreadable unreadable;

 private:
  struct Life;

  std::unique_ptr<Life> life_;
};

// How many of these texts hold `what`.
inline std::size_t count(const Texts& texts, std::string_view what) {
  return static_cast<std::size_t>(
      std::ranges::count_if(texts, [&](const auto& line) { return line.find(what) != std::string::npos; }));
}

}  // namespace ingot::tests
