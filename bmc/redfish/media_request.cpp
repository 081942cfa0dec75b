#include "bmc/redfish/media_request.hpp"

#include "base/redaction.hpp"
#include "base/text.hpp"
#include "net/url.hpp"

#include <algorithm>
#include <array>

namespace ingot::bmc::redfish {

namespace {

constexpr std::string_view protocolKey = "TransferProtocolType", methodKey = "TransferMethod";

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> protocols{
    {{"http", "HTTP"}, {"https", "HTTPS"}, {"nfs", "NFS"}, {"cifs", "CIFS"}, {"smb", "CIFS"}}};

// As Redfish calls what fetches this URL; "" for what it has no word for.
std::string_view protocolOf(std::string_view url) {
  const auto scheme = url.substr(0, url.find(':'));
  const auto* found = std::ranges::find_if(
      protocols, [&](const auto& protocol) { return base::equalButForCase(protocol.first, scheme); });
  return found == protocols.end() ? "" : found->second;
}

constexpr std::size_t shortestPiece = 4;  // of a query: less is in any word

bool saysMissing(const ErrorBody& refusal) {
  return refusal.has("ActionParameterMissing") || refusal.has("PropertyMissing") || refusal.has("GeneralError") ||
         refusal.mentions("requires the parameter");
}

}  // namespace

std::optional<json::Object> completed(const json::Object& body, const ErrorBody& refusal) {
  if (!saysMissing(refusal)) return std::nullopt;
  json::Object more = body;
  if (refusal.mentions(protocolKey) && !body.contains(protocolKey)) {
    const auto protocol = protocolOf(json::textAt(body, {"Image"}));
    if (protocol.empty()) return std::nullopt;
    more[protocolKey] = protocol;
    return more;
  }
  if (refusal.mentions(methodKey) && !body.contains(methodKey)) {
    more[methodKey] = "Stream";
    return more;
  }
  const bool wantsLogin = refusal.mentions("UserName") || refusal.mentions("Password");
  if (!wantsLogin || body.contains("UserName")) return std::nullopt;
  more["UserName"] = "none";
  more["Password"] = "none";
  return more;
}

MediaRefusal judgeMedia(int status) {
  if (status == 400 || status == 404 || status == 405 || status == 501) return MediaRefusal::nextDrive;
  return status >= 500 ? MediaRefusal::tryAgain : MediaRefusal::final;
}

std::string shownImage(const std::string& url) {
  const auto parsed = net::parseUrl(url);
  if (!parsed) return "an image";
  return fmt::format("{}://{}{}", parsed->scheme, parsed->host, parsed->path);
}

std::string withoutQuery(std::string text, const std::string& url) {
  const auto mark = url.find('?');
  const base::Secret query(mark == std::string::npos ? std::string() : url.substr(mark + 1));
  text = base::redacted(std::move(text), query);
  for (auto size = query.reveal().size(); size >= shortestPiece; --size)
    if (const auto piece = std::string_view(query.reveal()).substr(0, size); text.ends_with(piece))
      return text.substr(0, text.size() - size) + "***";
  return text;
}

}  // namespace ingot::bmc::redfish
