// What a Node that is out of service still holds (spec/capm3.md §18.2).
#pragma once

#include "kube/client/api.hpp"

namespace ingot::coordinator::workload {

// No Pod on the Node is on its way out any more, and no volume is attached to it. Asked of the cluster itself, page by
// page: Pods and VolumeAttachments are not watched for the minutes in which a machine is remediated. Throws kube::Error
// with words of the server's, {badAnswer} when the pages have no end.
[[nodiscard]] base::Task<bool> isDrained(kube::Api& cluster, std::string node);

}  // namespace ingot::coordinator::workload
