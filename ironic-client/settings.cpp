#include "ironic-client/settings.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "net/proxy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace ingot::ironic {

namespace {

std::string orElse(const Environment& environment, std::string_view name, std::string_view fallback) {
  const auto value = environment(name);
  return value && !value->empty() ? *value : std::string(fallback);
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string ifExists(const std::string& path) { return exists(path) ? path : ""; }

bool isTrue(std::string_view text) { return base::lower(text) == "true"; }

std::string trimmedFile(const std::string& path) { return std::string(base::trimmed(base::readFile(path))); }

base::Duration durationFrom(const Environment& environment, std::string_view name, base::Duration fallback) {
  const std::string text = orElse(environment, name, "");
  if (text.empty()) return fallback;
  const auto duration = parseDuration(text);
  if (!duration) throw base::InvalidInput(std::string(name), "\"" + text + "\" is not a duration like 30s");
  return *duration;
}

std::string credentialsFolder(const Environment& environment) {
  return orElse(environment, "METAL3_AUTH_ROOT_DIR", "/opt/metal3/auth") + "/ironic";
}

// An optional Secret that is not there is mounted as an empty folder.
bool holdsCredentials(const std::string& folder) {
  return exists(folder + "/username") || exists(folder + "/password");
}

void readCredentials(const Environment& environment, Settings& out) {
  const std::string folder = credentialsFolder(environment);
  if (!holdsCredentials(folder)) return;
  out.username = trimmedFile(folder + "/username");
  out.password = base::Secret(trimmedFile(folder + "/password"));
  if (out.username.empty()) throw base::InvalidInput(folder + "/username", "empty HTTP Basic Auth username");
  if (out.password.empty()) throw base::InvalidInput(folder + "/password", "empty HTTP Basic Auth password");
}

std::string caFile(const Environment& environment) {
  return orElse(environment, "IRONIC_CACERT_FILE", "/opt/metal3/certs/ca/tls.crt");
}

void readTls(const Environment& environment, Settings& out) {
  out.caFile = ifExists(caFile(environment));
  out.clientCertificateFile =
      ifExists(orElse(environment, "IRONIC_CLIENT_CERT_FILE", "/opt/metal3/certs/client/tls.crt"));
  out.clientKeyFile =
      ifExists(orElse(environment, "IRONIC_CLIENT_PRIVATE_KEY_FILE", "/opt/metal3/certs/client/tls.key"));
  if (out.clientCertificateFile.empty() != out.clientKeyFile.empty())
    throw base::InvalidInput("IRONIC_CLIENT_CERT_FILE", "a client certificate and its key must be given together");
  out.insecure = isTrue(orElse(environment, "IRONIC_INSECURE", "false"));
}

// The environment's usual variables, else one for Ironic alone.
base::Secret proxyTo(const std::string& endpoint, const Environment& environment) {
  base::Secret usual = net::proxyFor(endpoint, environment);
  const std::string own = orElse(environment, "FORWARD_PROXY", "");
  if (!usual.empty() || own.empty()) return usual;
  auto proxy = net::normalisedProxy(own);
  if (!proxy) throw base::InvalidInput("FORWARD_PROXY", "is not the URL of an http, https or socks5 proxy");
  return base::Secret(std::move(*proxy));
}

struct Unit {
  std::string_view name;
  double nanoseconds;
};
constexpr Unit units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};

const Unit* unitAt(std::string_view text) {
  const auto end = std::min(text.find_first_of("0123456789."), text.size());
  const auto* found =
      std::find_if(std::begin(units), std::end(units), [&](const Unit& u) { return u.name == text.substr(0, end); });
  return found == std::end(units) ? nullptr : found;
}

}  // namespace

Environment processEnvironment() {
  return [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
}

std::optional<base::Duration> parseDuration(std::string_view text) {
  if (text == "0") return base::Duration{};
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  double total = 0;
  while (!text.empty()) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc() || number < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const Unit* unit = unitAt(text);
    if (!unit) return std::nullopt;
    total += number * unit->nanoseconds;
    text.remove_prefix(unit->name.size());
  }
  if (total > 9e18) return std::nullopt;
  return base::Duration(static_cast<std::int64_t>(std::llround(negative ? -total : total)));
}

Settings settingsFrom(const Environment& environment) {
  if (!orElse(environment, "IRONIC_NAME", "").empty())
    throw base::InvalidInput("IRONIC_NAME",
                             "reading the connection from an Ironic resource is not supported; set IRONIC_ENDPOINT");
  Settings out;
  out.endpoint = orElse(environment, "IRONIC_ENDPOINT", "");
  if (out.endpoint.empty()) throw base::InvalidInput("IRONIC_ENDPOINT", "no IRONIC_ENDPOINT variable set");
  while (out.endpoint.ends_with('/')) out.endpoint.pop_back();

  out.proxy = proxyTo(out.endpoint, environment);
  readCredentials(environment, out);
  readTls(environment, out);

  out.cacheTtl = durationFrom(environment, "IRONIC_CLIENT_CACHE_TTL", std::chrono::seconds(5));
  if (out.cacheTtl < base::Duration{}) throw base::InvalidInput("IRONIC_CLIENT_CACHE_TTL", "must not be negative");
  out.timeout = durationFrom(environment, "IRONIC_CLIENT_TIMEOUT", std::chrono::seconds(30));
  if (out.timeout <= base::Duration{}) throw base::InvalidInput("IRONIC_CLIENT_TIMEOUT", "must be > 0");
  return out;
}

std::string sourcesOf(const Environment& environment) {
  const auto folder = credentialsFolder(environment), ca = caFile(environment);
  const auto foundOrNot = [](bool isThere, std::string_view what, std::string_view place, std::string_view variable) {
    return isThere ? fmt::format("{} of {}", what, place) : fmt::format("no {} at {} ({})", what, place, variable);
  };
  return fmt::format("URL of IRONIC_ENDPOINT, {}, {}",
                     foundOrNot(holdsCredentials(folder), "user and password", folder, "METAL3_AUTH_ROOT_DIR"),
                     foundOrNot(exists(ca), "CA", ca, "IRONIC_CACERT_FILE"));
}

}  // namespace ingot::ironic
