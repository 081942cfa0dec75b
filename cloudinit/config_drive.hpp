// The config drive of a machine: what cloud-init or Ignition finds at its first boot (spec/ironic.md §5.10).
// Pure: texts in, document out.
#pragma once

#include "base/error.hpp"
#include "base/secret.hpp"
#include "json/value.hpp"

#include <string>

namespace ingot::cloudinit {

struct Machine {
  std::string uid, namespace_, name;
};

// As the Secrets hold them; empty: not given.
struct Sources {
  base::Secret userData;     // passed on as it is
  base::Secret networkData;  // YAML or JSON
  base::Secret metaData;     // YAML or JSON; its keys win over the ones we set
};

// A source is not what it should be; what() names it without quoting it.
class ConfigDriveError final : public base::Error {
 public:
  using Error::Error;
};

// The `configdrive` member of Ironic's deploy request: meta_data always; user_data, network_data when given.
[[nodiscard]] json::Object configDrive(const Machine& machine, const Sources& sources);

// The meta_data of a machine before anybody adds to it.
[[nodiscard]] json::Object defaultMetaData(const Machine& machine);

}  // namespace ingot::cloudinit
