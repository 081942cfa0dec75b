// What goes wrong once in a life, and at which effect.
#pragma once

#include <fmt/format.h>

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::tests::matrix {

enum class Fault {
  // The coordinator dies.
  killedBefore,  // the request is never sent
  killedAfter,   // it is carried out, its answer is lost with the process
  // The request alone.
  answers500,
  answers503,
  answers409,
  brokenBefore,  // the connection breaks, nothing was done
  brokenAfter,   // it was done, then the connection breaks
  late,          // it was done, the answer comes too late
  // The surroundings, from this request on, for a while.
  agentLost,
  sweepsFail,  // the list of all nodes is refused; single ones are served
  passwordRefused,
  bmcAnswers500,
  bmcIgnoresResets,
  bmcHangs,
};

inline constexpr Fault deaths[] = {Fault::killedBefore, Fault::killedAfter};
inline constexpr Fault stumbles[] = {Fault::answers500,   Fault::answers503,  Fault::answers409,
                                     Fault::brokenBefore, Fault::brokenAfter, Fault::late};
inline constexpr Fault bmcFaults[] = {Fault::passwordRefused, Fault::bmcAnswers500, Fault::bmcIgnoresResets,
                                      Fault::bmcHangs};

[[nodiscard]] std::string_view text(Fault fault);

// An error that the user may read meanwhile has to hold one of these; none: no error may be shown at all.
[[nodiscard]] std::vector<std::string_view> causes(Fault fault);

// One effect in a life: the nth request of its kind while the host is in this state.
struct Point {
  std::string state, what;
  int nth = 1;

  [[nodiscard]] bool toAgent() const { return what.starts_with("command "); }
  [[nodiscard]] bool reads() const { return what.starts_with("GET "); }

  auto operator<=>(const Point&) const = default;
  [[nodiscard]] std::string text() const { return fmt::format("{}: {} #{}", state, what, nth); }
};

struct Case {
  Point at;
  Fault fault{};

  [[nodiscard]] std::string text() const { return fmt::format("[{}] × {}", at.text(), matrix::text(fault)); }
};

}  // namespace ingot::tests::matrix
