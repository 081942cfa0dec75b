// Acting as somebody else, as kubectl's --as does: the server checks that the caller may, and judges the request by the
// rights of whom it acts as (spec/kubernetes-api.md §10).
#pragma once

#include "net/http.hpp"

#include <map>
#include <string>
#include <vector>

namespace ingot::kube {

struct Impersonation {
  std::string user, uid;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;

  // Everything else needs a user.
  [[nodiscard]] bool lacksUser() const { return user.empty() && !(uid.empty() && groups.empty() && extra.empty()); }
  // Without bytes that would end a header.
  [[nodiscard]] bool isSendable() const;
};

// What each request carries; nothing for nobody.
[[nodiscard]] net::Headers headersOf(const Impersonation& as);

}  // namespace ingot::kube
