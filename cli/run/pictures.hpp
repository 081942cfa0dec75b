// Reading an object together with what it hangs on.
#pragma once

#include "cli/run/reader.hpp"
#include "cli/show/tree.hpp"
#include "kube/core/event.hpp"

namespace ingot::cli {

// Throws Failure{notFound} that says what there is instead. What it hangs on is left out where it, or its kind, is not
// there, or cannot be read.
[[nodiscard]] base::Task<MachinePicture> pictureOfMachine(Session& session, std::string name);

// Lists each kind once, whatever the number of machines.
[[nodiscard]] base::Task<ClusterPicture> pictureOfCluster(Session& session, std::string name);

// Of this object, by its uid; nullopt when they cannot be read.
[[nodiscard]] base::Task<std::optional<std::vector<kube::Event>>> eventsOf(Reader& reader, std::string kind,
                                                                           const kube::ObjectMeta& object);

}  // namespace ingot::cli
