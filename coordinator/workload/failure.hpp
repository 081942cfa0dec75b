// What a failed call to a workload cluster means, in words of ours. The server is a stranger: it has been shown
// credentials and may repeat them in anything that it answers, so none of its words go into a log or a condition. The
// same failure is told in the same words each time: what differs would be news to everybody who shows it.
#pragma once

#include "coordinator/workload/unknown.hpp"
#include "kube/client/config.hpp"
#include "kube/core/error.hpp"

#include <string>
#include <string_view>

namespace ingot::coordinator::workload {

// `doing`: "asked for its Nodes".
[[nodiscard]] Unknown unknownAfter(const kube::Error& error, const kube::ClusterConfig& config, std::string_view doing);

// The same call's error for who made it: the code, and our words.
[[nodiscard]] kube::Error inOurWords(const kube::Error& error, const kube::ClusterConfig& config,
                                     std::string_view doing);

// A connection has ended, or none came about.
class Lost final : public base::Error {
 public:
  explicit Lost(Unknown why) : base::Error(why.text), why_(std::move(why)) {}
  [[nodiscard]] const Unknown& why() const { return why_; }

 private:
  Unknown why_;
};

}  // namespace ingot::coordinator::workload
