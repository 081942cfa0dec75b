#include "bmc/libredfish/possible.hpp"

#include "bmc/libredfish/exchange.hpp"
#include "net/exchange_rules.hpp"

#include <array>

namespace ingot::bmc::libredfish {

namespace {

using net::HttpError;

// Of a line "Name: value"; libredfish cuts it off there, without a word.
constexpr std::size_t longestHeader = 1022;
// For so long its queue may keep what it was given: it waits by itself for no longer, when it has missed the signal.
constexpr std::chrono::seconds mayBeginLate{5};

constexpr std::array proxyVariables{"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};

[[noreturn]] void refuse(HttpError::Code code, std::string_view who, std::string_view text) {
  throw HttpError(code, fmt::format("{}: {}", who, text));
}

// libcurl asks for another path then.
bool hasDotSegment(const std::string& target) {
  const auto path = target.substr(0, target.find('?')) + "/";
  return path.contains("/./") || path.contains("/../");
}

}  // namespace

void checkEnvironment(const Environment& environment) {
  const auto exceptions = environment("no_proxy").value_or(environment("NO_PROXY").value_or(""));
  if (exceptions == "*") return;
  for (const auto* name : proxyVariables)
    if (!environment(name).value_or("").empty())
      throw base::Error(fmt::format(
          "{} is set, and libredfish would speak to BMCs through that proxy: unset it, or set no_proxy to *", name));
}

void checkClient(const net::ClientOptions& options) {
  const auto origin = net::Origin::parse(options.baseUrl).url;
  const auto who = origin.origin();
  using Code = HttpError::Code;
  if (!options.proxy.empty()) refuse(Code::badRequest, who, "libredfish takes no proxy; --redfish-transport curl does");
  if (origin.scheme != "https") return;
  const auto& tls = options.tls;
  if (!tls.pinnedKeys.empty())
    refuse(Code::tls, who,
           "its public key is pinned, and libredfish compares none: --redfish-transport curl does, or take the pin "
           "away");
  if (tls.verify)
    refuse(Code::tls, who,
           "its certificate is to be verified, and libredfish verifies none: --redfish-transport curl does, or set "
           "disableCertificateVerification for the host");
  if (!tls.certificatePem.empty())
    refuse(Code::tls, who, "libredfish shows no client certificate; --redfish-transport curl does");
  if (!tls.serverName.empty())
    refuse(Code::tls, who, "libredfish knows a server by its URL alone; --redfish-transport curl takes another name");
  if (tls.legacyTls)
    refuse(Code::tls, who, "libredfish speaks no old TLS (ingot.dev/bmc-tls: legacy); --redfish-transport curl does");
}

void checkRequest(const net::HttpRequest& request, const std::string& target) {
  const auto no = [&](std::string_view text) { refuse(HttpError::Code::badRequest, request.method, text); };
  const auto method = traitsOf(request.method);
  if (!method) no("libredfish knows no such method");
  if (!request.body.empty() && !method->carriesBody) no("libredfish sends no body with it");
  if (hasDotSegment(target)) no("the path has . or .. in it, which libredfish would take out");
  for (const auto& [name, value] : request.headers.all()) {
    if (value.empty()) no(fmt::format("libredfish sends no header without a value ({})", name));
    if (name.size() + value.size() + 2 > longestHeader)
      no(fmt::format("libredfish cuts off the header {}, which has more than {} bytes", name, longestHeader));
  }
}

std::optional<std::chrono::seconds> timeFor(const net::HttpRequest& request, base::Duration left) {
  constexpr std::chrono::seconds least{1};
  if (!request.beforeSending) return std::max(least, std::chrono::ceil<std::chrono::seconds>(left));
  auto time = std::chrono::floor<std::chrono::seconds>(left - mayBeginLate);
  // A redirect has it sent once more, each time for so long; without its body it changes nothing the second time.
  if (request.body.empty()) time /= 2;
  return time < least ? std::nullopt : std::optional(time);
}

bool wantsOwnConnection(const net::HttpRequest& request) {
  return request.method == "POST" || request.method == "PATCH" || request.headers.get("Connection") == "close";
}

}  // namespace ingot::bmc::libredfish
