// Judges an object by the structural schema of its kind, as an API server does, and says what would be right.
#pragma once

#include "cli/apply/complaint.hpp"

namespace ingot::cli {

// Every breach, in the order of the schema. metadata is not looked at, nor is status: a server takes neither from a
// manifest by this schema.
[[nodiscard]] std::vector<Complaint> structureComplaints(const json::Value& schema, const json::Value& object);

// Members that the schema does not know, only: a server would drop them.
[[nodiscard]] std::vector<Complaint> unknownMembers(const json::Value& schema, const json::Value& object);

// A field as the document has it, for one named by its Go names or with indexes between dots:
// "Spec.Image.URL" is "spec.image.url", "spec.pools.0.start" is "spec.pools[0].start".
[[nodiscard]] std::string fieldAsWritten(const json::Value& schema, std::string_view field);

}  // namespace ingot::cli
