// The controller of Metal3Clusters in front of a whole API in memory, under virtual time.
#pragma once

#include "apiserver/embedded.hpp"
#include "coordinator/cluster/controllers.hpp"
#include "net/loopback.hpp"
#include "tests/coordinator/cluster/builders.hpp"
#include "tests/support/loop.hpp"

namespace ingot::tests {

class ClusterSite {
 public:
  ClusterSite();
  ~ClusterSite();
  ClusterSite(const ClusterSite&) = delete;
  ClusterSite& operator=(const ClusterSite&) = delete;

  void start();
  void kill();  // the process ends where it is

  // --- what a user, or Cluster API, does ---
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
  void patchStatus(const std::string& name, const json::Value& mergePatch) {
    run(user_->patchStatus<T>({"metal", name}, mergePatch));
  }
  template <class T>
  void remove(const std::string& name) {
    run(user_->remove<T>({"metal", name}));
  }
  void settle(base::Duration d = std::chrono::seconds(3)) { loop.clock.advance(d); }

  // --- what there is ---
  template <class T>
  [[nodiscard]] std::optional<T> find(const std::string& name) {
    return run(user_->get<T>({"metal", name}));
  }
  [[nodiscard]] std::int64_t told(const std::string& reason);  // Events, repetitions counted
  [[nodiscard]] int passes() const;

  Loop loop;
  std::vector<std::string> writes;  // "PATCH /apis/…", of the process, Events apart
  kube::Unreadable unreadable;      // what the process is told at its next start
  std::string watchFilter;          // the next start's
  std::string heldWatch;            // watches whose path ends so begin …
  base::Duration watchHeldFor{};    // … so late
  std::size_t conflicts = 0;        // so many patches of "c1" come right after somebody else's

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
};

}  // namespace ingot::tests
