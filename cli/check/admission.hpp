// What admission says of an object that is about to be created: the rules that webhooks and the embedded API run, run
// here (api/*/admission.hpp).
#pragma once

#include "cli/apply/complaint.hpp"

namespace ingot::cli {

struct Admission {
  std::vector<Complaint> errors, warnings;  // fields in upstream's spelling; see fieldAsWritten()
};

// Objects of v1beta1 are judged as the v1beta2 that they are stored as. Empty for kinds that have no rules.
[[nodiscard]] Admission admission(const json::Value& object);

// What api::ConversionError says, by field.
[[nodiscard]] Complaint conversionComplaint(std::string_view said);

}  // namespace ingot::cli
