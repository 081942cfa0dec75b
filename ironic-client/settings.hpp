// How to reach Ironic, from the environment (spec/ironic.md §1.2, §1.4). What belongs to provisioning decisions
// (deploy images, limits) is read by whoever decides.
#pragma once

#include "base/clock.hpp"
#include "base/secret.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::ironic {

struct Settings {
  std::string endpoint;  // without trailing '/': "http://10.0.0.2:6385/v1"
  std::string username;  // empty: no authentication
  base::Secret password;
  std::string caFile;                                 // empty: the system's roots
  std::string clientCertificateFile, clientKeyFile;   // both or none
  base::Secret proxy;                                 // empty: none
  bool insecure = false;                              // do not verify the server
  base::Duration cacheTtl = std::chrono::seconds(5);  // how long readiness is believed; 0: ask every time
  base::Duration timeout = std::chrono::seconds(30);  // of one request
};

using Environment = std::function<std::optional<std::string>(std::string_view name)>;
[[nodiscard]] Environment processEnvironment();

// Throws base::InvalidInput naming the variable. Files are looked at (they must exist to count) on disk.
[[nodiscard]] Settings settingsFrom(const Environment& environment);

// For people: which variables and files settingsFrom() takes the connection from, and where it found none. No values.
[[nodiscard]] std::string sourcesOf(const Environment& environment);

// Go's notation: "30s", "1m30s", "500ms", "0"; nullopt for anything else.
[[nodiscard]] std::optional<base::Duration> parseDuration(std::string_view text);

}  // namespace ingot::ironic
