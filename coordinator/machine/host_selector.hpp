// spec.hostSelector of a Metal3Machine, checked and made ready for many hosts (spec/capm3.md §9.1).
#pragma once

#include "api/capm3/v1beta2/metal3_machine.hpp"

#include <map>
#include <set>

namespace ingot::coordinator::machine {

using Labels = std::map<std::string, std::string>;

class HostSelector {
 public:
  HostSelector() = default;  // every host
  // Operators are compared in lower case, so that In works and DoesNotExist does not: it is written "!" (quirk Q12).
  // Throws MachineError(selector) with upstream's words.
  explicit HostSelector(const api::capm3::v1beta2::HostSelector& wanted);

  [[nodiscard]] bool matches(const Labels& labels) const;

 private:
  enum class Operator : std::uint8_t { in, notIn, exists, absent, greater, less };
  struct Requirement {
    std::string key;
    Operator how = Operator::in;
    std::set<std::string> values;
    std::int64_t bound = 0;

    [[nodiscard]] bool holds(const Labels& labels) const;
  };

  void require(const std::string& key, const std::string& how, const std::vector<std::string>& values);

  std::vector<Requirement> requirements_;
};

}  // namespace ingot::coordinator::machine
