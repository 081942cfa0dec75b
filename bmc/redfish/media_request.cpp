#include "bmc/redfish/media_request.hpp"

#include "net/url.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr std::string_view protocolKey = "TransferProtocolType", methodKey = "TransferMethod";

bool saysMissing(const ErrorBody& refusal) {
  return refusal.has("ActionParameterMissing") || refusal.has("PropertyMissing") || refusal.has("GeneralError") ||
         refusal.mentions("requires the parameter");
}

}  // namespace

std::optional<json::Object> completed(const json::Object& body, const ErrorBody& refusal) {
  if (!saysMissing(refusal)) return std::nullopt;
  json::Object more = body;
  if (refusal.mentions(protocolKey) && !body.contains(protocolKey)) {
    const auto image = json::textAt(body, {"Image"});
    more[protocolKey] = image.starts_with("https:") ? "HTTPS" : "HTTP";
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

}  // namespace ingot::bmc::redfish
