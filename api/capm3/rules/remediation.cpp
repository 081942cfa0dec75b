#include "api/capm3/admission.hpp"

namespace ingot::api::capm3 {

namespace {

constexpr std::string_view kReboot = "Reboot";
constexpr int kLeastSeconds = 100, kDefaultSeconds = 600, kLeastRetries = 1;

// The two kinds word the same rules differently.
struct Words {
  std::string_view field, type, retries;
};
constexpr Words kWordsOfRemediation{"spec.strategy", "is only supported remediation strategy", "is minimum retrylimit"};
constexpr Words kWordsOfTemplate{"spec.template.spec.strategy", "only supported remediation strategy is reboot",
                                 "minimum retry limit is 1"};

void check(const v1beta2::RemediationStrategy& strategy, const Words& words, FieldErrors& errors) {
  const std::string field(words.field);
  if (strategy.timeoutSeconds != 0 && strategy.timeoutSeconds < kLeastSeconds)
    errors.invalidObject(field + ".timeoutSeconds", strategy.timeoutSeconds, "min duration is 100 seconds");
  if (strategy.type != kReboot) errors.invalid(field + ".type", strategy.type, words.type);
  if (strategy.retryLimit < kLeastRetries)
    errors.invalidObject(field + ".retryLimit", strategy.retryLimit, words.retries);
}

}  // namespace

void setDefaults(v1beta2::Metal3RemediationTemplate& remediation) {
  auto& given = remediation.spec.template_.spec.strategy;
  auto& strategy = given ? *given : given.emplace();
  if (strategy.type.empty()) strategy.type = kReboot;
  if (strategy.timeoutSeconds == 0) strategy.timeoutSeconds = kDefaultSeconds;
  if (strategy.retryLimit < kLeastRetries) strategy.retryLimit = kLeastRetries;
}

Verdict admitCreate(const v1beta2::Metal3Remediation& remediation) {
  Verdict out;
  if (remediation.spec.strategy) check(*remediation.spec.strategy, kWordsOfRemediation, out.fields);
  return out;
}

Verdict admitUpdate(const v1beta2::Metal3Remediation&, const v1beta2::Metal3Remediation& after) {
  return admitCreate(after);
}

Verdict admitCreate(const v1beta2::Metal3RemediationTemplate& remediation) {
  Verdict out;
  const auto& strategy = remediation.spec.template_.spec.strategy;
  if (strategy) {
    check(*strategy, kWordsOfTemplate, out.fields);
  } else {
    out.fields.required(std::string(kWordsOfTemplate.field), "a template needs a strategy");
  }
  return out;
}

Verdict admitUpdate(const v1beta2::Metal3RemediationTemplate&, const v1beta2::Metal3RemediationTemplate& after) {
  return admitCreate(after);
}

}  // namespace ingot::api::capm3
