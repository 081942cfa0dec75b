// The controllers of templates, claims and data, beside address management, in front of a whole API in memory, under
// virtual time. The process can die before or after any of its writes and be started again from what is stored.
#pragma once

#include "apiserver/embedded.hpp"
#include "coordinator/data/controllers.hpp"
#include "coordinator/ipam/controllers.hpp"
#include "net/loopback.hpp"
#include "tests/coordinator/data/builders.hpp"
#include "tests/support/loop.hpp"

#include <algorithm>

namespace ingot::tests {

using api::capi_ipam::IPAddressClaim;
using api::ipam::IPClaim;
using api::ipam::IPPool;

class DataSite {
 public:
  DataSite();
  ~DataSite();
  DataSite(const DataSite&) = delete;
  DataSite& operator=(const DataSite&) = delete;

  void start();
  void kill();  // the process ends where it is
  void restart() { kill(), start(); }
  void carryOutLate();  // the write of Death::late

  // --- what a user, Cluster API and the controller of Metal3Machines do ---
  template <class T>
  T create(T object) {
    object.metadata.uid.clear();
    return run(user_->create(std::move(object)));
  }
  template <class T>
  void patch(const std::string& name, const std::string& mergePatch) {
    run(user_->patch<T>({"metal", name}, json::parse(mergePatch)));
  }
  template <class T>
  void patchStatus(const std::string& name, const std::string& mergePatch) {
    run(user_->patchStatus<T>({"metal", name}, json::parse(mergePatch)));
  }
  template <class T>
  void remove(const std::string& name) {
    run(user_->remove<T>({"metal", name}));
  }
  // Whatever holds it.
  template <class T>
  void removeByForce(const std::string& name) {
    remove<T>(name);
    if (find<T>(name)) patch<T>(name, R"({"metadata":{"finalizers":null}})");
  }
  // A Machine with its Metal3Machine, its host host-NAME and its claim.
  void addMachine(const std::string& name, const std::string& dataTemplate = "dt");
  void addHost(const std::string& machine);
  void addClaim(const std::string& machine);
  // Pool prov with two addresses, template dt of kWithPool, and machine m0, at rest.
  void settleOneMachine();
  // Lets go of the claim, then all of it goes.
  void removeMachine(const std::string& name);
  void settle(base::Duration d = std::chrono::seconds(5)) { loop.clock.advance(d); }

  // --- what there is ---
  template <class T>
  [[nodiscard]] std::optional<T> find(const std::string& name) {
    return run(user_->get<T>({"metal", name}));
  }
  template <class T>
  [[nodiscard]] std::vector<T> all() {
    return run(user_->list<T>({.namespace_ = "metal"}));
  }
  template <class T>
  [[nodiscard]] Texts names() {
    Texts out;
    for (const auto& object : all<T>()) out.push_back(object.metadata.name);
    return out;
  }
  [[nodiscard]] bool isReady(const std::string& data);
  // What a rendered Secret holds; "" without it.
  [[nodiscard]] std::string textOf(const std::string& secret, const std::string& key);
  [[nodiscard]] std::int64_t told(const std::string& reason);  // Events, repetitions counted
  [[nodiscard]] int passes(const std::string& controller) const;
  // What may never be once all is quiet, in words.
  [[nodiscard]] Texts breaches();

  Loop loop;
  Texts writes, reads;  // "POST /apis/…" of the process, Events and Leases apart; GETs of single objects
  enum class Death { before, after, late };
  // This write is not done, or its answer is lost, or it is done when carryOutLate() says so; and the process ends.
  std::optional<std::size_t> dieAtWrite;
  Death death = Death::before;
  bool survives = false;  // only the connection breaks
  bool dead = false;
  int denials = 0;                // so many writes whose path holds …
  std::string denied;             // … this are answered with 403
  std::string heldWatch;          // watches whose path holds this …
  base::Duration watchHeldFor{};  // … begin so late
  std::size_t meddling = 0;       // so many patches whose path holds …
  std::string meddledPath;        // … this come right after somebody else's write to Metal3Data dt-0
  bool addressManagement = true;  // the next start's
  std::string watchFilter;        // the next start's
  coordinator::data::NamedBy addressClaims = coordinator::data::NamedBy::data;
  kube::Unreadable unreadable;

 private:
  class Gateway;
  struct Life;

  template <class T>
  T run(base::Task<T> task) {
    return loop.run(std::move(task));
  }

  net::Loopback network_{loop.runtime};
  std::unique_ptr<apiserver::EmbeddedApi> api_;
  std::unique_ptr<Gateway> gateway_;
  std::unique_ptr<kube::Client> user_;
  std::unique_ptr<Life> life_;
  std::optional<net::ServerRequest> late_;
};

// How many of these texts hold `what`.
inline std::size_t count(const Texts& texts, std::string_view what) {
  return static_cast<std::size_t>(
      std::ranges::count_if(texts, [&](const auto& line) { return line.find(what) != std::string::npos; }));
}

}  // namespace ingot::tests
