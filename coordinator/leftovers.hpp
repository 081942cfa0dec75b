// What an installation of Metal3 has left in the cluster: where its webhooks are still asked, and its roles.
#pragma once

#include "kube/client/client.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator {

// Whether objects of this resource, of this name when it has one, may be read thus.
using MayRead =
    std::function<base::Task<bool>(std::string_view verb, const kube::Resource& resource, std::string name)>;

struct Leftover {
  std::string text;    // a sentence for people
  bool harms = false;  // as long as it is there objects of ours cannot be read
};

// `service`: ours, in `namespace_`, or wherever it is when nobody knows; what else the configurations and kinds ask
// that bear our names is somebody else's. What may not be read is passed over.
[[nodiscard]] base::Task<std::vector<Leftover>> leftovers(kube::Client& client, std::optional<std::string> namespace_,
                                                          std::string service, MayRead mayRead);

}  // namespace ingot::coordinator
