// `ingot-coordinator check`: what a coordinator that starts with these options would stumble over. Nothing is written.
#pragma once

#include "base/runtime.hpp"
#include "coordinator/options.hpp"
#include "kube/client/config.hpp"
#include "net/client.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator {

struct Finding {
  enum class Verdict { good, note, bad };  // a note: worth knowing, and no reason not to start
  Verdict verdict = Verdict::good;
  std::string what;  // "rights"
  std::string text;  // one line for people

  friend bool operator==(const Finding&, const Finding&) = default;
};

// Never throws but Cancelled: what cannot be found out is a finding.
[[nodiscard]] base::Task<std::vector<Finding>> check(base::Runtime runtime, Options options,
                                                     net::HttpTransport& transport, kube::Environment environment);

// As a table, and 1 where something is bad.
[[nodiscard]] Leave reportOf(const std::vector<Finding>& findings);

}  // namespace ingot::coordinator
