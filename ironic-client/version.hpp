// Which API version we speak with a server, and what follows from it (spec/ironic.md §1.5). Pure.
#pragma once

#include "json/value.hpp"

#include <string>

namespace ingot::ironic {

struct Features {
  int maxMinor = 89;  // the newest 1.x that the server offers

  [[nodiscard]] int chosenMinor() const;
  [[nodiscard]] std::string microversion() const;  // "1.110"
  [[nodiscard]] bool deployAbort() const { return maxMinor >= 110; }
  [[nodiscard]] bool health() const { return maxMinor >= 109; }
  [[nodiscard]] bool disablePowerOff() const { return maxMinor >= 95; }
  [[nodiscard]] bool virtualMediaStatus() const { return maxMinor >= 93; }

  friend bool operator==(const Features&, const Features&) = default;
};

// From the document at the API's root or at /v1. Throws Error{tooOld|unreadable}.
[[nodiscard]] Features negotiate(const json::Value& versionDocument);

}  // namespace ingot::ironic
