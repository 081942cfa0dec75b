// Asks a server what it says of manifests; nothing but one valid object of each kind is kept, until the trial ends.
#pragma once

#include "tests/contract/manifests/manifest.hpp"
#include "tests/contract/peer.hpp"

namespace ingot::contract {

class Trial {
 public:
  // Tells `server` of all the kinds.
  Trial(Peer& server, const std::vector<Manifest>& all);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // What becomes of the document itself: created, then its status. Nothing more can be asked before.
  [[nodiscard]] std::vector<Reply> store(const Manifest& manifest);
  // One answer to each case.
  [[nodiscard]] std::vector<Reply> ask(const Manifest& manifest);

 private:
  [[nodiscard]] net::HttpRequest requestFor(const Manifest& manifest, const Case& one) const;

  Peer& server_;
  std::string space_;
  std::vector<std::string> installed_;
  std::map<std::string, json::Value> metadata_;  // of the stored objects
};

// `reply` in the words of the tables.
[[nodiscard]] std::string answerOf(const Case& one, const Reply& reply);

// Everything in `reply` that two servers can have in common; causes sorted, since no server promises their order.
[[nodiscard]] std::string comparable(const Reply& reply);

}  // namespace ingot::contract
