#include "ironic-client/error.hpp"

#include "base/text.hpp"
#include "json/value.hpp"

#include <fmt/format.h>

namespace ingot::ironic {

namespace {

constexpr std::size_t longestText = 2000;  // bodies of proxies can be whole pages

std::string shortened(std::string_view text) { return std::string(base::trimmed(text).substr(0, longestText)); }

std::optional<json::Value> parsed(std::string_view text) {
  try {
    return json::parse(text);
  } catch (const json::ParseError&) {
    return std::nullopt;
  }
}

// {"faultstring": …} in one of its wrappings; "" when there is none.
std::string faultIn(const json::Value& document) {
  if (const auto text = json::stringAt(document, {"faultstring"})) return std::string(*text);
  if (const auto text = json::stringAt(document, {"error", "message"}))
    return std::string(*text);  // built-in basic auth
  if (const json::Value* inner = json::find(document, {"error_message"})) {
    if (inner->is_object()) return faultIn(*inner);
    if (!inner->is_string()) return "";
    const std::string text(inner->get_string());
    const auto again = parsed(text);
    const std::string fault = again ? faultIn(*again) : "";
    return fault.empty() ? text : fault;
  }
  return "";
}

Error::Code codeOf(int status, std::string_view fault) {
  switch (status) {
    case 400: return Error::Code::badRequest;
    case 401:
    case 403: return Error::Code::unauthorized;
    case 404: return Error::Code::notFound;
    case 406: return Error::Code::notAcceptable;
    case 409:
      return fault.find(" is locked by ") == std::string_view::npos ? Error::Code::conflict : Error::Code::nodeLocked;
    default: return status >= 400 && status < 500 && status != 429 ? Error::Code::badRequest : Error::Code::unavailable;
  }
}

}  // namespace

std::string faultText(std::string_view body) {
  const auto document = parsed(body);
  const std::string fault = document ? faultIn(*document) : "";
  return fault.empty() ? shortened(body) : shortened(fault);
}

Error errorFrom(std::string_view method, std::string_view url, int expected, int status, std::string_view body) {
  const std::string fault = faultText(body);
  return {codeOf(status, fault),
          fmt::format("Expected HTTP response code [{}] when accessing [{} {}], but got {} instead: {}", expected,
                      method, url, status, fault),
          status};
}

}  // namespace ingot::ironic
