#include "bmc/redfish/media_request.hpp"

#include "base/redaction.hpp"
#include "base/text.hpp"
#include "base/url_redaction.hpp"
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

constexpr std::size_t shortestPiece = 4;     // of a query: less is in any word
constexpr std::size_t longestUrl = 4 << 10;  // a BMC may show one of any length

std::string queryOf(const std::string& url) {
  const auto mark = url.find('?');
  return mark == std::string::npos ? std::string() : url.substr(mark + 1);
}

// A query, and what may be left of it without the user information of URLs: what stands before an "@" looks like some.
std::vector<std::string> piecesOf(const std::string& url) {
  std::vector<std::string> pieces{queryOf(url), queryOf(base::withoutUserInfo(url))};
  const auto query = pieces.front();
  for (auto at = query.find('@'); at != std::string::npos; at = query.find('@', at + 1))
    if (at + 1 < query.size()) pieces.push_back("***" + query.substr(at));
  return pieces;
}

// Also where the text ends in the middle of it.
std::string withoutPiece(std::string text, const std::string& piece) {
  text = base::redacted(std::move(text), base::Secret(piece));
  for (auto size = std::min(piece.size(), text.size()); size >= shortestPiece; --size)
    if (text.ends_with(std::string_view(piece).substr(0, size))) return text.substr(0, text.size() - size) + "***";
  return text;
}

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
  for (const auto& piece : piecesOf(url.substr(0, longestUrl))) text = withoutPiece(std::move(text), piece);
  return text;
}

}  // namespace ingot::bmc::redfish
