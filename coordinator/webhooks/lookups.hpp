// Rules may ask for other objects, and those are a request to the API away: what they ask for is noted while a review
// is answered a first time, fetched, and shown to them when it is answered again.
#pragma once

#include "base/task.hpp"
#include "coordinator/admission/judge.hpp"
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

  // Asked for, and not shown yet.
  [[nodiscard]] const std::set<Lookup>& missing() const { return missing_; }
  void show(const Lookup& lookup, std::vector<json::Value> objects);

 private:
  std::map<Lookup, std::vector<json::Value>> known_;
  mutable std::set<Lookup> missing_;
};

// A page each turn of the review. None of a kind that is not installed. Throws kube::Error.
[[nodiscard]] base::Task<std::vector<json::Value>> fetch(kube::Api& api, Lookup lookup, LookupTurns::Review& review);

}  // namespace ingot::coordinator::webhooks
