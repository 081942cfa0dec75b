// Address management in front of a whole API in memory, under virtual time. The process can die before or after any of
// its writes and be started again from what is stored.
#pragma once

#include "apiserver/embedded.hpp"
#include "coordinator/ipam/controllers.hpp"
#include "net/loopback.hpp"
#include "tests/coordinator/ipam/builders.hpp"
#include "tests/support/loop.hpp"

#include <algorithm>

namespace ingot::tests {

class IpamSite {
 public:
  enum class ClusterApi { installed, absent };  // Cluster API's own kinds
  explicit IpamSite(ClusterApi clusterApi = ClusterApi::installed);
  ~IpamSite();
  IpamSite(const IpamSite&) = delete;
  IpamSite& operator=(const IpamSite&) = delete;

  void start();
  void kill();  // the process ends where it is
  void restart() { kill(), start(); }

  // --- what a user does ---
  template <class T>
  void create(T object) {
    object.metadata.uid.clear();
    run(user_->create(std::move(object)));
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
  void settle(base::Duration d = std::chrono::seconds(3)) { loop.clock.advance(d); }

  // --- what there is ---
  template <class T>
  [[nodiscard]] std::optional<T> find(const std::string& name) {
    return run(user_->get<T>({"metal", name}));
  }
  template <class T>
  [[nodiscard]] std::vector<T> all() {
    return run(user_->list<T>({.namespace_ = "metal"}));
  }
  // Of a claim of ipam.metal3.io: its address, its refusal, "" while it waits, "gone".
  [[nodiscard]] std::string answer(const std::string& claim);
  // The same of one of Cluster API.
  [[nodiscard]] std::string capiAnswer(const std::string& claim);
  [[nodiscard]] std::vector<std::string> told(const std::string& reason);  // messages of Events
  // What may never be once all is quiet, in words: two objects with one address, an object without a claim, a claim
  // whose address object is another's or none.
  [[nodiscard]] std::vector<std::string> breaches();

  Loop loop;
  std::vector<std::string> writes;  // "POST /apis/…", of the process, Events apart
  enum class Death { before, after, late };
  // This one is not done, or its answer is lost, or it arrives(), and the process ends.
  std::optional<std::size_t> dieAtWrite;
  Death death = Death::before;
  bool survives = false;                         // only the connection breaks
  bool brokeAWrite = false;                      // that one has been sent
  base::Duration clustersHeldFor{};              // a watch of Clusters begins so late
  int looksAtClusters = 0;                       // reads of single ones
  base::Duration looksTake{};                    // each of these
  std::string lost;                              // a POST to a path that ends so never arrives
  bool holdsNext = false;                        // the next POST of an IPAddress stays on its way until it arrives()
  std::optional<std::size_t> largestPoolStatus;  // a patch of a pool's status beyond so many bytes is etcd's 500
  int denials = 0;                               // so many POSTs of an IPAddress are answered with …
  int denial = 403;                              // … this
  struct Broken {
    std::string method, path;  // part of it
    int status = 403;
  };
  std::optional<Broken> broken;   // these requests are answered so
  std::string heldWatch;          // watches whose path ends so …
  base::Duration watchHeldFor{};  // … begin so late …
  bool holdsLists = false;        // … and so do lists, but for those of single objects
  std::string watchFilter;        // the next start's
  coordinator::ipam::Retry retry = coordinator::ipam::Retry::never;
  kube::Unreadable unreadable;               // what the process is told at its next start
  std::size_t meddling = 0;                  // so many patches of claim "a" come right after somebody else's
  std::size_t conflicts = 0;                 // 409 that the process was answered
  std::vector<base::MonoTime> publications;  // when it wrote the status of a pool
  bool dead = false;
  [[nodiscard]] int passes(const std::string& controller) const;
  [[nodiscard]] int retries(const std::string& controller) const;
  void arrives();  // what was held back

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
  std::optional<net::ServerRequest> heldBack_;
  std::unique_ptr<kube::Client> user_;
  std::unique_ptr<Life> life_;
};

// How many of these texts hold `what`.
inline std::size_t count(const std::vector<std::string>& texts, std::string_view what) {
  return static_cast<std::size_t>(
      std::ranges::count_if(texts, [&](const auto& line) { return line.find(what) != std::string::npos; }));
}

}  // namespace ingot::tests
