#include "coordinator/label_sync/decision.hpp"

#include "api/capm3/names.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "kube/core/names.hpp"

#include <fmt/format.h>

#include <sstream>

namespace ingot::coordinator::label_sync {

Prefixes prefixesIn(std::string_view list) {
  Prefixes prefixes;
  std::istringstream rest{std::string(list)};
  for (std::string word; std::getline(rest, word, ',');) {
    std::string prefix(base::trimmed(word));
    if (prefix.empty()) continue;
    if (const auto problem = kube::subdomainProblem(prefix))
      throw base::InvalidInput(std::string(api::capm3::annotation::labelSyncPrefixes),
                               fmt::format("\"{}\" is no prefix of labels: {}", prefix, *problem));
    prefixes.insert(std::move(prefix));
  }
  return prefixes;
}

Labels under(const Prefixes& prefixes, const Labels& labels) {
  Labels out;
  for (const auto& [key, value] : labels) {
    const auto slash = key.find('/');
    if (slash != std::string::npos && prefixes.contains(std::string_view(key).substr(0, slash)))
      out.emplace(key, value);
  }
  return out;
}

Changes changesFor(const Prefixes& prefixes, const Labels& wanted, const Labels& present) {
  Changes changes;
  for (const auto& [key, value] : under(prefixes, present))
    if (!wanted.contains(key)) changes.emplace(key, std::nullopt);
  for (const auto& [key, value] : wanted) {
    const auto found = present.find(key);
    if (found == present.end() || found->second != value) changes.emplace(key, value);
  }
  return changes;
}

}  // namespace ingot::coordinator::label_sync
