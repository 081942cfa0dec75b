#include "tests/support/ironic/owner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ingot::tests {

namespace {

// Where a node stays until somebody asks for something. A failure stays too; but it keeps its target while the work it
// belongs to is not given up, and then Ironic owns the node by that.
constexpr std::array<std::string_view, 6> stable{"enroll", "manageable", "available", "active", "error", "rescue"};

bool staysWhereItIs(std::string_view state) {
  return std::ranges::find(stable, state) != stable.end() || state.ends_with(" failed");
}

}  // namespace

std::string whyIronicOwns(const json::Object& record) {
  const std::string state = json::textAt(record, {"provision_state"});
  if (!staysWhereItIs(state)) return fmt::format("it is in the state \"{}\"", state);
  for (const char* field : {"target_provision_state", "target_power_state", "reservation"})
    if (const std::string value = json::textAt(record, {field}); !value.empty())
      return fmt::format("its {} is \"{}\"", field, value);
  return "";
}

std::string whyIronicOwns(FakeIronic& ironic, const std::string& node) {
  if (!ironic.has(node)) return "";
  if (std::string work = ironic.workOn(node); !work.empty()) return work;
  return whyIronicOwns(ironic.record(node));
}

}  // namespace ingot::tests
