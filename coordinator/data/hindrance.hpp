// Why the data of a machine cannot be completed now.
#pragma once

#include "base/error.hpp"
#include "kube/core/kind.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace ingot::coordinator::data {

class Hindrance final : public base::Error {
 public:
  enum class Kind : std::uint8_t {
    wait,     // for what comes with the machine, and is shown there
    late,     // for what comes by itself and usually at once: after a while a person should know
    problem,  // somebody has to do something
  };

  Hindrance(Kind kind, std::string reason, const std::string& text)
      : Error(text), kind_(kind), reason_(std::move(reason)) {}
  static Hindrance wait(const std::string& text) { return {Kind::wait, "", text}; }
  static Hindrance late(const std::string& reason, const std::string& text) { return {Kind::late, reason, text}; }
  static Hindrance problem(const std::string& reason, const std::string& text) { return {Kind::problem, reason, text}; }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }  // of the Event

 private:
  Kind kind_;
  std::string reason_;
};

// What is told of an object that is named and not there.
[[nodiscard]] inline std::string textOfMissing(const kube::KindInfo& kind, const std::string& name) {
  return fmt::format("{} {} does not exist", kind.kind, name);
}
// The same while it is going.
[[nodiscard]] inline std::string textOfLeaving(const kube::KindInfo& kind, const std::string& name) {
  return fmt::format("{} {} is being deleted", kind.kind, name);
}

}  // namespace ingot::coordinator::data
