// Words in the status of a Metal3Machine that its controller writes and clients judge by (spec/capm3.md §8.2).
#pragma once

#include <string_view>

namespace ingot::api::capm3 {

namespace condition {
inline constexpr std::string_view host = "AssociateBareMetalHost", data = "Metal3DataReady",
                                  metaData = "AssociateMetal3MachineMetaData";
}

// Of condition `host`.
namespace reason {
inline constexpr std::string_view noOwner = "WaitingForMetal3MachineOwnerRef",
                                  noInfrastructure = "WaitingForClusterInfrastructureReady",
                                  noMetal3Cluster = "WaitingforMetal3Cluster", noBootstrap = "WaitingForBootstrapData",
                                  hostFailed = "AssociateBareMetalHostFailed";
}

namespace message {
inline constexpr std::string_view hostFailed = "failed to associate the Metal3Machine to a BareMetalHost",
                                  noHostFound = "no available host found", noHostThere = "no host in namespace",
                                  markedUnhealthy = "marked unhealthy",
                                  requeued = ". Object will be requeued after 30s";
}

}  // namespace ingot::api::capm3
