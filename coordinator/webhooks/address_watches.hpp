// Which addresses are in use in a namespace that has many, kept by watches of its address objects: to list them for
// each review that asks would take longer than a kube-apiserver waits, and cost it as much as us. Begun where a list
// has more than one page, ended when nobody has asked for a while.
//
// What is known so is a moment behind, as of any cache; what is known while a watch is interrupted is not shown.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "coordinator/admission/addresses_in_use.hpp"
#include "kube/client/api.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::webhooks {

class AddressWatches {
 public:
  struct Limits {
    std::size_t namespaces = 8;  // 30 MiB for 100,000 addresses
    base::Duration unused = std::chrono::minutes(10);
  };
  // `api` outlives the watches.
  AddressWatches(base::Runtime runtime, kube::Api& api, Limits limits);
  ~AddressWatches();  // after close() has ended
  AddressWatches(const AddressWatches&) = delete;
  AddressWatches& operator=(const AddressWatches&) = delete;

  // Addresses of the pool beyond the bounds, the first kMostBeyond. nullopt: not known here, or not known for certain.
  [[nodiscard]] std::optional<std::vector<std::string>> beyond(const kube::ObjectKey& pool,
                                                               const AddressBounds& bounds);
  // Begins to watch the namespace. False: as many others are watched as may be.
  [[nodiscard]] bool watch(const std::string& namespace_);
  // Until beyond() knows those of a namespace that is watched. Throws base::Error when it is not watched any more.
  [[nodiscard]] base::Task<void> known(std::string namespace_);

  [[nodiscard]] base::Task<void> close();

 private:
  class OfKind;
  struct Watched {
    std::vector<std::unique_ptr<OfKind>> kinds;
    base::MonoTime asked{};
    [[nodiscard]] bool isKnown() const;
  };

  [[nodiscard]] base::Task<void> keep(std::string namespace_);

  base::Runtime runtime_;
  kube::Api& api_;
  Limits limits_;
  std::map<std::string, Watched> watched_;  // by namespace
  base::Notifier changed_;
  base::TaskGroup tasks_;
};

}  // namespace ingot::coordinator::webhooks
