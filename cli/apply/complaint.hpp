// A refused manifest in the user's terms: file, line, field, what is wrong and what would be right.
#pragma once

#include "cli/apply/manifest.hpp"
#include "cli/outcome.hpp"
#include "kube/core/error.hpp"

#include <string>
#include <vector>

namespace ingot::cli {

struct Complaint {
  std::string field;    // "spec.bmc.address"; "" when the whole object is meant
  std::string problem;  // one line
};

// What the server said, taken apart. Empty when its answer is not about the manifest.
[[nodiscard]] std::vector<Complaint> complaints(const kube::Error& refusal);

// The known field that an unknown one is a slip of: "online" for "spec.onlin". "" for kinds that are not ours.
[[nodiscard]] std::string rightField(const std::string& apiVersion, const std::string& kind, const std::string& field);

// One line for each complaint, "hosts.yaml:12: spec.onlin: unknown field; did you mean online?".
[[nodiscard]] std::vector<std::string> complaintLines(const Manifest& manifest, const std::vector<Complaint>& all);

}  // namespace ingot::cli
