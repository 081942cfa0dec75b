// Warning headers: what the client should know though its request was served (spec/kubernetes-api.md §1.1).
#pragma once

#include <string>
#include <vector>

namespace ingot::apiserver {

// The values of the headers, each text once. Within kube-apiserver's bounds: past 4096 characters of all together each
// is cut to 256, and the last ones are left out.
[[nodiscard]] std::vector<std::string> warningHeaders(const std::vector<std::string>& texts);

}  // namespace ingot::apiserver
