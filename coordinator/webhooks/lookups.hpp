// Rules may ask for other objects, and those are a request to the API away: what they ask for is noted while a review
// is answered a first time, fetched, and shown to them when it is answered again.
#pragma once

#include "base/task.hpp"
#include "coordinator/admission/judge.hpp"
#include "coordinator/webhooks/address_watches.hpp"
#include "coordinator/webhooks/lookup_turns.hpp"
#include "kube/client/api.hpp"

#include <map>
#include <set>

namespace ingot::coordinator::webhooks {

struct Lookup {
  std::string group, version, kind, plural;
  std::string name;        // that they mention
  std::string namespace_;  // "": all
  friend auto operator<=>(const Lookup&, const Lookup&) = default;
};

class Lookups final : public OtherObjects {
 public:
  void eachMentioning(const kube::KindInfo& kind, const std::string& name, const std::optional<std::string>& namespace_,
                      const Visit& visit) const override;
  [[nodiscard]] std::vector<std::string> addressesBeyond(const kube::ObjectKey& pool,
                                                         const AddressBounds& bounds) const override;

  // All that was asked for has been shown.
  [[nodiscard]] bool areComplete() const { return missing_.empty() && missingBeyond_.empty(); }
  // What was not is fetched, a page each turn of the review. Throws kube::Error.
  [[nodiscard]] base::Task<void> fetch(kube::Api& api, LookupTurns::Review& review, AddressWatches& watches);

 private:
  std::map<Lookup, std::vector<json::Value>> known_;
  mutable std::set<Lookup> missing_;
  std::map<kube::ObjectKey, std::vector<std::string>> beyond_;  // by pool
  mutable std::map<kube::ObjectKey, AddressBounds> missingBeyond_;
};

}  // namespace ingot::coordinator::webhooks
