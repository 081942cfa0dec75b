// The hosts that a machine may choose from, kept by the changes of the hosts' cache: a choice neither lists hosts nor
// unpacks them. Of each host that has no consumer, or is kept for one by its node-reuse label, it holds what a choice
// looks at; all others are only counted, and what else changes of any is no news here. It holds nothing before the
// first machine asks: who runs hosts without machines pays nothing for it.
#pragma once

#include "coordinator/machine/candidates.hpp"
#include "kube/runtime/cache.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ingot::coordinator::machine {

class HostPool {
 public:
  // Made before whatever chooses listens to the same cache.
  explicit HostPool(kube::Cache<BareMetalHost>& hosts);
  HostPool(const HostPool&) = delete;
  HostPool& operator=(const HostPool&) = delete;

  // Good until the cache changes, or a host is reserved or set free. None of `passedOver`. Throws as chooseHost().
  [[nodiscard]] HostChoice choose(const HostWish& wish, const std::set<kube::ObjectKey>& passedOver = {});
  // All that were chosen from: for who wants to say why there was none.
  [[nodiscard]] std::vector<const BareMetalHost*> candidates(const std::string& namespace_);
  // Another one whenever they, how many are in use, or how many cannot be read, may be others.
  [[nodiscard]] std::uint64_t version(const std::string& namespace_);
  // How many these are, those that cannot be read among them.
  [[nodiscard]] std::size_t candidateCount(const std::string& namespace_);
  // nullptr: somebody has it, or is about to get it. Good as long.
  [[nodiscard]] const BareMetalHost* candidate(const kube::ObjectKey& host);
  // How many of the namespace's hosts somebody has already, or is about to get.
  [[nodiscard]] std::size_t inUse(const std::string& namespace_);
  // How many cannot be read, of those that nobody had when they could be, if ever they could.
  [[nodiscard]] std::size_t unreadable(const std::string& namespace_);
  // The hosts whose consumer the machine is, as far as the cache has seen: one, but for somebody's mistake.
  [[nodiscard]] std::vector<kube::ObjectKey> hostsOf(const kube::ObjectKey& machine);

  // Nobody else gets the host before it changes, or is set free, which is told nobody.
  void reserve(const kube::ObjectKey& host);
  void setFree(const kube::ObjectKey& host);

  // Called with a host that a waiting machine might take now.
  kube::Subscription onCandidate(std::function<void(const BareMetalHost&)> listener) {
    return told_.add(std::move(listener));
  }

 private:
  struct Namespace {
    Candidates candidates;
    std::size_t inUse = 0;
    std::uint64_t version = 0;
    std::pair<std::ptrdiff_t, bool> unreadable{};  // as of that version: how many by name, and whether all are
  };
  void fill();  // at the first question
  [[nodiscard]] bool isEachUnreadable(const std::string& namespace_) const;
  void enter(const BareMetalHost& host);
  void strike(const BareMetalHost& host);
  // What becomes of it makes no difference to whoever chooses.
  [[nodiscard]] bool isNoNews(const BareMetalHost& before, const BareMetalHost& after);
  [[nodiscard]] bool isReadable(const BareMetalHost& host);

  kube::Cache<BareMetalHost>& hosts_;
  bool filled_ = false;
  std::map<std::string, Namespace> namespaces_;
  std::set<kube::ObjectKey> reserved_;
  std::set<kube::ObjectKey> unread_;  // as they could not be read when somebody chose
  std::multimap<kube::ObjectKey, kube::ObjectKey> byConsumer_;
  kube::Listeners<BareMetalHost> told_;
  kube::Subscription subscription_;
};

// The Metal3Machine in its own namespace that the host's consumerRef names; nullopt: no machine.
[[nodiscard]] std::optional<kube::ObjectKey> consumerOf(const BareMetalHost& host);

}  // namespace ingot::coordinator::machine
