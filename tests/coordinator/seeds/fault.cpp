#include "tests/coordinator/seeds/fault.hpp"

#include <fmt/format.h>

namespace ingot::tests::seeds {

const std::vector<Fault>& everyFault() {
  static const std::vector<Fault> all = {
      Fault::diesBefore,  Fault::diesAfter,   Fault::conflictBefore, Fault::conflictAfter,
      Fault::errorBefore, Fault::errorAfter,  Fault::silentBefore,   Fault::silentAfter,
      Fault::late,        Fault::staleBefore, Fault::staleAfter,
  };
  return all;
}

std::string_view text(Fault fault) {
  switch (fault) {
    case Fault::diesBefore: return "death before";
    case Fault::diesAfter: return "death after";
    case Fault::conflictBefore: return "conflict before";
    case Fault::conflictAfter: return "conflict after";
    case Fault::errorBefore: return "error before";
    case Fault::errorAfter: return "error after";
    case Fault::silentBefore: return "silence before";
    case Fault::silentAfter: return "silence after";
    case Fault::late: return "done late";
    case Fault::staleBefore: return "stale before";
    case Fault::staleAfter: return "stale after";
  }
  return "";
}

std::string Pair::text() const { return fmt::format("{} × {}", write, seeds::text(fault)); }

const Fault* Fates::pass(const std::string& write) {
  ++coverage_.writes[write];
  for (auto& armed : armed_) {
    if (armed.struck || armed.pair.write != write || --armed.left > 0) continue;
    armed.struck = true;
    coverage_.hit.insert(armed.pair);
    return &armed.pair.fault;
  }
  return nullptr;
}

std::string Fates::text() const {
  std::string out;
  for (const auto& armed : armed_) out += fmt::format("  {}{}\n", armed.pair.text(), armed.struck ? "" : " (not met)");
  return out;
}

}  // namespace ingot::tests::seeds
