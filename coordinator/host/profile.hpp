// Hardware profiles: a deprecated way to say where the root disk is (spec/baremetalhost.md §2.1.3). Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <optional>
#include <string>

namespace ingot::coordinator::host {

struct Profile {
  std::string_view name;
  std::string_view deviceName, hctl;   // at most one is set
};

// The one this host has or gets: once recorded in the status it stays.
[[nodiscard]] std::string profileName(const api::BareMetalHost& host);

// nullptr for an unknown name.
[[nodiscard]] const Profile* findProfile(std::string_view name);

// Where this profile's root disk is; nullopt for the profile without hints.
[[nodiscard]] std::optional<api::RootDeviceHints> hintsOf(const Profile& profile);

}  // namespace ingot::coordinator::host
