#include "tests/coordinator/seeds/fault.hpp"

#include <fmt/format.h>

namespace ingot::tests::seeds {

const std::vector<Fault>& everyFault() {
  static const std::vector<Fault> all = {
      Fault::diesBefore,  Fault::diesAfter,  Fault::conflictBefore, Fault::conflictAfter,
      Fault::errorBefore, Fault::errorAfter, Fault::silentBefore,   Fault::silentAfter,
      Fault::late,        Fault::diesLate,   Fault::staleBefore,    Fault::staleAfter,
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
    case Fault::diesLate: return "death, done late";
    case Fault::staleBefore: return "stale before";
    case Fault::staleAfter: return "stale after";
  }
  return "";
}

std::string Pair::text() const { return fmt::format("{} × {}", write, seeds::text(fault)); }

std::shared_ptr<Blow> Fates::pass(const std::string& write) {
  ++coverage_.writes[write];
  for (const auto& blow : armed_) {
    if (blow->begun || blow->pair.write != write || --blow->left > 0) continue;
    blow->begun = true;
    return blow;
  }
  return nullptr;
}

void Fates::end(Blow& blow, bool done) {
  blow.begun = blow.done = done;
  if (done) coverage_.hit.insert(blow.pair);
}

std::string Fates::text() const {
  std::string out;
  for (const auto& blow : armed_) out += fmt::format("  {}{}\n", blow->pair.text(), blow->done ? "" : " (not met)");
  return out;
}

}  // namespace ingot::tests::seeds
