// What of the coordinator works in this process, where somebody else does the rest (--controllers).
#pragma once

#include <cstdint>
#include <expected>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::coordinator {

enum class Part : std::uint8_t {
  host,
  cluster,
  machine,
  machineTemplate,
  labelSync,
  remediation,
  data,
  ipam,
};

struct PartRow {
  Part part;
  std::string_view name;
};
inline constexpr PartRow kParts[] = {
    {Part::host, "host"},  // with Ironic and the agents
    {Part::cluster, "metal3cluster"},
    {Part::machine, "metal3machine"},
    {Part::machineTemplate, "metal3machinetemplate"},
    {Part::labelSync, "metal3labelsync"},
    {Part::remediation, "metal3remediation"},
    {Part::data, "metal3data"},  // with templates and claims
    {Part::ipam, "ipam"},
};

using Parts = std::set<Part>;

// "host, metal3cluster, …"
[[nodiscard]] std::string knownParts();

// As kube-controller-manager reads its --controllers: "*" stands for all, "name" for one, "-name" for all but one where
// "*" is there, too. The error is for people.
[[nodiscard]] std::expected<Parts, std::string> partsIn(const std::vector<std::string>& words);

}  // namespace ingot::coordinator
