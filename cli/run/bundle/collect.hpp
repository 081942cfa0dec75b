// The parts of a bundle, each of which tells what it could not have.
#pragma once

#include "cli/command/command.hpp"
#include "cli/run/bundle/api_source.hpp"

#include <set>
#include <string>

namespace ingot::cli::bundle {

using Names = std::set<std::string, std::less<>>;

// Objects of our kinds in `namespace_` ("": all), with their Events; the decisions on hosts and machines that are not
// ready; names and sizes of what Secrets and ConfigMaps hold there. The namespaces that have any.
[[nodiscard]] base::Task<Names> collectObjects(ApiSource& source, std::string namespace_);
[[nodiscard]] base::Task<void> collectOutlines(ApiSource& source, Names namespaces);

struct CoordinatorPod {
  std::string namespace_, name;
  std::vector<std::string> containers;
};

// Its Deployments, pods and Leases, the configurations of webhooks and the definitions of our kinds. Whoever may make
// pods may label one as ours: those beside a Lease of ours come first, few of each namespace, and what is left out is
// told.
[[nodiscard]] base::Task<std::vector<CoordinatorPod>> collectCoordinator(ApiSource& source, std::string namespace_);

// What its pods have logged, `bytes` in all, and what they say of themselves.
[[nodiscard]] base::Task<void> collectPods(ApiSource& source, std::vector<CoordinatorPod> pods, std::size_t bytes);

// Without the cluster: ends of files, `bytes` in all, and pages of metrics and of readiness.
void collectLogFiles(Contents& contents, const std::vector<std::string>& paths, std::size_t bytes);
[[nodiscard]] base::Task<void> collectPages(Session& session, Contents& contents, std::vector<std::string> urls);

}  // namespace ingot::cli::bundle
