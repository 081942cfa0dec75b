// spec.hostSelector of a Metal3Machine, checked and made ready for many hosts (spec/capm3.md §9.1).
#pragma once

#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "kube/core/label_term.hpp"

namespace ingot::coordinator::machine {

using Labels = std::map<std::string, std::string>;

// Throws MachineError(selector) with upstream's words. The operator is in lower case.
[[nodiscard]] kube::LabelTerm requirementOn(const std::string& key, const std::string& how,
                                            std::vector<std::string> values);

class HostSelector {
 public:
  HostSelector() = default;  // every host
  // Operators are compared in lower case, so that In works; DoesNotExist is as good as "!" (quirk Q12).
  // Throws as requirementOn().
  explicit HostSelector(const api::capm3::v1beta2::HostSelector& wanted);

  [[nodiscard]] bool matches(const Labels& labels) const;
  // The first requirement that these labels do not meet; nullptr: they meet all.
  [[nodiscard]] const kube::LabelTerm* unmet(const Labels& labels) const;
  // The same for selectors that ask for the same in the same order.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<kube::LabelTerm> terms_;
};

}  // namespace ingot::coordinator::machine
