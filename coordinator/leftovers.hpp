// What an installation of Metal3 has left in the cluster: where its webhooks are still asked, and its roles.
#pragma once

#include "kube/client/client.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ingot::coordinator {

// Whether objects of this resource, of this name when it has one, may be read thus.
using MayRead =
    std::function<base::Task<bool>(std::string_view verb, const kube::Resource& resource, std::string name)>;

// One sentence each, for people. `service`: ours, in `namespace_`; what else the configurations and kinds ask that bear
// our names is somebody else's. What may not be read is passed over.
[[nodiscard]] base::Task<std::vector<std::string>> leftovers(kube::Client& client, std::string namespace_,
                                                             std::string service, MayRead mayRead);

}  // namespace ingot::coordinator
