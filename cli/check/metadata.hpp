// Judges what every object has: its name, labels, annotations, finalizers and owners.
#pragma once

#include "cli/apply/complaint.hpp"

namespace ingot::cli {

// Types are judged by structureComplaints().
[[nodiscard]] std::vector<Complaint> metadataComplaints(const json::Value& object);

}  // namespace ingot::cli
