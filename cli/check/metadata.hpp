// Judges what every object has: its name, and the types of its metadata.
#pragma once

#include "cli/apply/complaint.hpp"

namespace ingot::cli {

[[nodiscard]] std::vector<Complaint> metadataComplaints(const json::Value& object);

}  // namespace ingot::cli
