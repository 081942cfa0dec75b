// Judges an object by the schema of its kind, as an API server does, and says what would be right.
#pragma once

#include "cli/apply/complaint.hpp"
#include "kube/schema/schema.hpp"

namespace ingot::cli {

// Every breach by spec and metadata. status is not looked at: a server takes none from a manifest.
[[nodiscard]] std::vector<Complaint> structureComplaints(const kube::Schema& schema, const json::Value& object);

// Of what every object has: its name, labels, annotations, finalizers and owners. Types are judged above.
[[nodiscard]] std::vector<Complaint> metadataComplaints(const json::Value& object);

// Members that the schema does not know, only: a server drops them or refuses the object.
[[nodiscard]] std::vector<Complaint> unknownMembers(const kube::Schema& schema, const json::Value& object);

// A field as the document has it, for one named by its Go names or with indexes between dots:
// "Spec.Image.URL" is "spec.image.url", "spec.pools.0.start" is "spec.pools[0].start".
[[nodiscard]] std::string fieldAsWritten(const kube::Schema& schema, std::string_view field);

}  // namespace ingot::cli
