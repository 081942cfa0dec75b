// Leases: microsecond times, positive durations.
#include "apiserver/registry/core_resources.hpp"
#include "apiserver/registry/errors.hpp"

namespace ingot::apiserver {
namespace {

bool digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// 2026-01-01T00:00:00.123456Z or with an offset; six fractional digits, as Go's RFC3339Micro layout wants them.
bool isMicroTime(std::string_view text) {
  return text.size() >= 27 && text[19] == '.' && digits(text.substr(20, 6)) && base::parseTime(text).has_value() &&
         (text[26] == 'Z' || text[26] == '+' || text[26] == '-');
}

void requireMicroTime(const json::Value& object, std::string_view field) {
  const auto text = json::stringAt(object, {"spec", field});
  if (!text || isMicroTime(*text)) return;
  throw badRequest(
      fmt::format("Lease in version \"v1\" cannot be handled as a Lease: parsing time {} as "
                  "\"2006-01-02T15:04:05.000000Z07:00\": cannot parse",
                  jsonText(*text)));
}

class LeaseRules final : public KindRules {
 public:
  std::vector<StatusCause> validate(const json::Value& object, const json::Value*, const WriteContext&,
                                    Warnings&) const override {
    requireMicroTime(object, "acquireTime");
    requireMicroTime(object, "renewTime");
    std::vector<StatusCause> causes;
    const auto duration = json::intAt(object, {"spec", "leaseDurationSeconds"});
    if (duration && *duration <= 0) {
      causes.push_back(invalidValue("spec.leaseDurationSeconds", std::to_string(*duration), "must be greater than 0"));
    }
    const auto transitions = json::intAt(object, {"spec", "leaseTransitions"});
    if (transitions && *transitions < 0) {
      causes.push_back(
          invalidValue("spec.leaseTransitions", std::to_string(*transitions), "must be greater than or equal to 0"));
    }
    return causes;
  }
};

}  // namespace

RulesPtr leaseRules() { return std::make_shared<LeaseRules>(); }

}  // namespace ingot::apiserver
