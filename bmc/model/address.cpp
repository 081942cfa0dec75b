#include "bmc/model/address.hpp"

#include "base/url_text.hpp"
#include "bmc/model/ip_literal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace ingot::bmc {

namespace {

struct Row {
  Scheme scheme;
  std::string_view name;
  Traits traits;
};

constexpr std::array rows{
    // scheme                     name                     protocol           MAC    secure raid   fast   iso    PXE
    Row{Scheme::ipmi, "ipmi", {Protocol::ipmi, false, false, false, false, false, true}},
    Row{Scheme::libvirt, "libvirt", {Protocol::ipmi, true, false, false, false, false, true}},
    Row{Scheme::redfish, "redfish", {Protocol::redfish, false, true, true, true, false, true}},
    Row{Scheme::ilo5Redfish, "ilo5-redfish", {Protocol::redfish, false, true, true, true, false, true}},
    Row{Scheme::idracRedfish, "idrac-redfish", {Protocol::redfish, false, true, true, true, false, true}},
    Row{Scheme::redfishVirtualMedia, "redfish-virtualmedia", {Protocol::redfish, false, true, true, true, true, false}},
    Row{Scheme::ilo5VirtualMedia, "ilo5-virtualmedia", {Protocol::redfish, false, true, true, true, true, false}},
    Row{Scheme::idracVirtualMedia, "idrac-virtualmedia", {Protocol::redfish, false, true, true, true, true, false}},
    Row{Scheme::redfishUefiHttp, "redfish-uefihttp", {Protocol::redfish, false, true, true, true, true, false}},
};

const Row& rowOf(Scheme scheme) {
  return *std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.scheme == scheme; });
}

constexpr std::string_view prefix = "failed to parse BMC address information: ";

[[noreturn]] void malformed(const std::string& reason) {
  throw AddressError(AddressError::Code::malformed, std::string(prefix) + reason);
}

base::url_text::Url parseOrFail(const std::string& text) {
  auto parsed = base::url_text::parse(text);
  if (!parsed.url) malformed(parsed.problem.text);
  return std::move(*parsed.url);
}

// "10.0.0.1:623" and the like are no URLs: the whole text is where an IPMI BMC listens.
base::url_text::Url ipmiAt(std::string_view text) {
  base::url_text::Url url;
  url.scheme = "ipmi";
  url.host = text;
  return url;
}

// The forms a user may write, brought to scheme://host.
base::url_text::Url interpret(std::string_view text) {
  auto parsed = base::url_text::parse(text);
  if (!parsed.url) {
    const bool hasColon = text.find(':') != std::string_view::npos;
    if (hasColon && !base::url_text::splitsAsHostAndPort(text)) malformed(parsed.problem.text);
    return ipmiAt(text);
  }
  if (!parsed.url->opaque.empty()) {
    const auto colon = text.find(':');
    return parseOrFail(std::string(text.substr(0, colon)) + "://" + std::string(text.substr(colon + 1)));
  }
  if (parsed.url->scheme.empty() && parsed.url->hostName().empty()) return parseOrFail("ipmi://" + std::string(text));
  return std::move(*parsed.url);
}

bool isAlnum(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool isLabel(std::string_view label) {
  return !label.empty() && label.size() <= 63 && isAlnum(label.front()) && isAlnum(label.back()) &&
         std::all_of(label.begin(), label.end(), [](char c) { return isAlnum(c) || c == '-'; });
}

bool isDnsName(std::string_view name) {
  while (true) {
    const auto dot = name.find('.');
    if (!isLabel(name.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    name = name.substr(dot + 1);
  }
}

void checkHost(const std::string& host) {
  if (host.empty() || isIpv4(host) || isIpv6(host) || isDnsName(host)) return;
  throw AddressError(AddressError::Code::invalidHost,
                     fmt::format("{}BMC address hostname/IP : [{}] is invalid", prefix, host));
}

base::url_text::Url interpretAndCheck(std::string_view text) {
  auto url = interpret(text);
  checkHost(url.hostName());
  return url;
}

struct KnownType {
  Scheme scheme;
  bool tls;
};

std::optional<KnownType> knownType(std::string_view type) {
  const auto plus = type.find('+');
  const std::string_view suffix = plus == std::string_view::npos ? "" : type.substr(plus);
  for (const Row& row : rows) {
    if (row.name != type.substr(0, plus)) continue;
    if (suffix.empty()) return KnownType{row.scheme, true};
    if (row.traits.protocol == Protocol::redfish && (suffix == "+http" || suffix == "+https"))
      return KnownType{row.scheme, suffix == "+https"};
  }
  return std::nullopt;
}

std::string privilegeIn(const std::string& query) {
  const auto pairs = base::url_text::parseQuery(query);
  if (pairs)
    for (const auto& [name, value] : *pairs)
      if (name == "privilegelevel") return value;
  return "ADMINISTRATOR";
}

}  // namespace

const Traits& traitsOf(Scheme scheme) { return rowOf(scheme).traits; }
std::string_view toText(Scheme scheme) { return rowOf(scheme).name; }

std::string Address::baseUrl() const { return (tls ? "https://" : "http://") + authority; }

std::string Address::systemPath() const {
  const auto first = path.find_first_not_of('/');
  if (first == std::string::npos) return "";
  const auto last = path.find_last_not_of('/');
  return path.substr(first, last - first + 1) == "redfish/v1" ? "" : path;
}

std::string Address::ipmiPortText() const { return port.empty() ? "623" : port; }

std::uint16_t Address::ipmiPort() const {
  const std::string text = ipmiPortText();
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

Address parseAddress(std::string_view text) {
  if (text.empty()) throw AddressError(AddressError::Code::missing, "missing BMC address");
  const auto url = interpretAndCheck(text);
  const auto type = knownType(url.scheme);
  if (!type)
    throw AddressError(AddressError::Code::unknownType,
                       fmt::format("Unknown BMC type '{}' for address {}", url.scheme, text));
  return {.scheme = type->scheme,
          .type = url.scheme,
          .tls = type->tls,
          .host = url.hostName(),
          .port = url.port(),
          .authority = url.host,
          .path = url.path,
          .privilegeLevel = privilegeIn(url.query)};
}

void checkAddressHost(std::string_view text) { static_cast<void>(interpretAndCheck(text)); }

}  // namespace ingot::bmc
