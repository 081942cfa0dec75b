#include "net/proxy.hpp"

#include "base/error.hpp"
#include "base/ip_address.hpp"
#include "base/text.hpp"
#include "net/url.hpp"

#include <algorithm>

namespace ingot::net {
namespace {

using Environment = std::function<std::optional<std::string>(std::string_view)>;

struct Scheme {
  std::string_view prefix, port;
};
constexpr Scheme schemes[] = {{"http://", "80"}, {"https://", "443"}, {"socks5://", "1080"}, {"socks5h://", "1080"}};

// "host:port", "[::1]:port", "host", "::1": as far as there is a port.
struct HostPort {
  std::string_view host, port;
};

HostPort split(std::string_view text) {
  const auto colon = text.rfind(':');
  const bool bracketed = text.starts_with('[') && text.find(']') != std::string_view::npos;
  const bool hasPort =
      colon != std::string_view::npos && (bracketed ? text[colon - 1] == ']' : text.find(':') == colon);
  HostPort out{hasPort ? text.substr(0, colon) : text, hasPort ? text.substr(colon + 1) : ""};
  if (bracketed) out.host = out.host.substr(1, out.host.find(']') - 1);
  return out;
}

bool isLoopback(base::IpAddress address) {
  static const auto v4 = base::IpPrefix::parse("127.0.0.0/8");
  return v4->contains(address) || address.value() == 1;
}

// One entry of NO_PROXY.
bool excepts(std::string_view entry, const std::string& host, std::string_view port) {
  if (entry == "*") return true;
  const auto address = base::IpAddress::parse(host);
  if (const auto network = base::IpPrefix::parse(entry)) return address && network->contains(*address);
  auto [name, onlyPort] = split(entry);
  if (name.empty() || (!onlyPort.empty() && onlyPort != port)) return false;
  if (const auto one = base::IpAddress::parse(name)) return address == one;
  if (name.starts_with("*.")) name.remove_prefix(1);
  if (name.starts_with('.')) return host.ends_with(name);
  return host == name || host.ends_with("." + std::string(name));
}

bool isExcepted(const std::string& host, std::string_view port, std::string_view exceptions) {
  if (host == "localhost") return true;
  if (const auto address = base::IpAddress::parse(host); address && isLoopback(*address)) return true;
  while (!exceptions.empty()) {
    const auto comma = std::min(exceptions.find(','), exceptions.size());
    if (excepts(base::trimmed(exceptions.substr(0, comma)), host, port)) return true;
    exceptions.remove_prefix(std::min(comma + 1, exceptions.size()));
  }
  return false;
}

// The variable in capitals, else in small letters.
std::string variable(const Environment& environment, std::string_view name) {
  const auto loud = environment(name);
  return loud && !loud->empty() ? *loud : environment(base::lower(name)).value_or("");
}

}  // namespace

std::optional<std::string> normalisedProxy(std::string_view text) {
  std::string url(base::trimmed(text));
  if (url.find("://") == std::string::npos) url.insert(0, schemes[0].prefix);
  const auto* scheme = std::ranges::find_if(schemes, [&](const Scheme& s) { return url.starts_with(s.prefix); });
  if (scheme == std::end(schemes)) return std::nullopt;
  url.erase(std::min(url.find('/', scheme->prefix.size()), url.size()));
  const auto at = url.rfind('@');
  const auto authority = std::string_view(url).substr(at == std::string::npos ? scheme->prefix.size() : at + 1);
  const auto [host, port] = split(authority);
  if (host.empty()) return std::nullopt;
  if (port.empty()) url.append(":").append(scheme->port);
  return url;
}

base::Secret proxyFor(std::string_view url, const Environment& environment) {
  const auto server = parseUrl(url);
  if (!server) return {};
  const std::string_view name = server->scheme == "https" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const std::string proxy = variable(environment, name);
  if (proxy.empty()) return {};
  const std::string exceptions = base::lower(variable(environment, "NO_PROXY"));
  if (isExcepted(base::lower(server->host), std::to_string(server->port), exceptions)) return {};
  auto usable = normalisedProxy(proxy);
  if (!usable) throw base::InvalidInput(std::string(name), "is not the URL of an http, https or socks5 proxy");
  return base::Secret(std::move(*usable));
}

}  // namespace ingot::net
