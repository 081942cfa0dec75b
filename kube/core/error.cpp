#include "kube/core/error.hpp"

#include "base/cut_text.hpp"

#include <charconv>

namespace ingot::kube {
namespace {

using Code = Error::Code;

struct Row {
  std::string_view reason;
  Code code;
};

// The reason says more than the number; these are the reasons that do.
constexpr Row reasons[] = {
    {"AlreadyExists", Code::alreadyExists},
    {"Conflict", Code::conflict},
    {"Expired", Code::gone},
    {"Gone", Code::gone},
    {"ServerTimeout", Code::serverTimeout},
    {"Timeout", Code::serverTimeout},
    {"TooManyRequests", Code::tooManyRequests},
};

Code codeOf(int httpStatus, std::string_view reason) {
  for (const Row& row : reasons)
    if (row.reason == reason) return row.code;
  switch (httpStatus) {
    case 400: return Code::badRequest;
    case 401: return Code::unauthorized;
    case 403: return Code::forbidden;
    case 404: return Code::notFound;
    case 405: return Code::methodNotAllowed;
    case 406:
    case 415: return Code::unsupportedMediaType;
    case 409: return Code::conflict;
    case 410: return Code::gone;
    case 413: return Code::tooLarge;
    case 422: return Code::invalid;
    case 429: return Code::tooManyRequests;
    case 502:
    case 503: return Code::unavailable;
    case 504: return Code::serverTimeout;
    default: return httpStatus >= 500 ? Code::internal : Code::badAnswer;
  }
}

std::optional<Status> parseStatus(std::string_view body) {
  try {
    const json::Value v = json::parse(body);
    if (json::textAt(v, {"kind"}) != "Status") return std::nullopt;
    return json::decode<Status>(v);
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

constexpr std::size_t longestPage = 64u << 10;  // of a body that is no Status

// The first line of a body that is no Status: enough for people.
std::string excerpt(std::string_view body) {
  const auto line = body.substr(0, body.find('\n'));
  return base::cutText(line, 200);
}

std::optional<base::Duration> seconds(std::string_view text) {
  unsigned n = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::chrono::seconds(n);
}

}  // namespace

Error::Error(Code code, Status status, const std::string& text)
    : base::Error(text), code_(code), status_(std::move(status)) {}

bool Error::transient() const {
  switch (code_) {
    case Code::badRequest:
    case Code::unauthorized:
    case Code::forbidden:
    case Code::notFound:
    case Code::methodNotAllowed:
    case Code::alreadyExists:
    case Code::tooLarge:
    case Code::unsupportedMediaType:
    case Code::invalid:
    case Code::untrusted:
    case Code::badAnswer: return false;
    case Code::conflict:
    case Code::gone:
    case Code::tooManyRequests:
    case Code::internal:
    case Code::unavailable:
    case Code::serverTimeout:
    case Code::unreachable:
    case Code::interrupted: return true;
  }
  return false;
}

std::string_view nameOf(Code code) {
  switch (code) {
    case Code::badRequest: return "BadRequest";
    case Code::unauthorized: return "Unauthorized";
    case Code::forbidden: return "Forbidden";
    case Code::notFound: return "NotFound";
    case Code::methodNotAllowed: return "MethodNotAllowed";
    case Code::conflict: return "Conflict";
    case Code::alreadyExists: return "AlreadyExists";
    case Code::gone: return "Gone";
    case Code::tooLarge: return "TooLarge";
    case Code::unsupportedMediaType: return "UnsupportedMediaType";
    case Code::invalid: return "Invalid";
    case Code::tooManyRequests: return "TooManyRequests";
    case Code::internal: return "Internal";
    case Code::unavailable: return "Unavailable";
    case Code::serverTimeout: return "ServerTimeout";
    case Code::unreachable: return "Unreachable";
    case Code::interrupted: return "Interrupted";
    case Code::untrusted: return "Untrusted";
    case Code::badAnswer: return "BadAnswer";
  }
  return "";
}

// A body that is no Status goes along as the message of one that has nothing else: a page may say why it fails.
Error errorFrom(int httpStatus, std::string_view body, std::string_view retryAfterHeader, const std::string& doing) {
  const auto told = parseStatus(body);
  Status status = told.value_or(Status{.message = base::cutText(body, longestPage)});
  const std::string why =
      !told || told->message.empty() ? fmt::format("HTTP {} {}", httpStatus, excerpt(body)) : told->message;
  const auto wanted = status.details.retryAfterSeconds;
  const Code code = codeOf(httpStatus, status.reason);
  Error error(code, std::move(status), doing + ": " + why);
  if (const auto wait = seconds(retryAfterHeader)) {
    error.retryAfter(*wait);
  } else if (wanted > 0) {
    error.retryAfter(std::chrono::seconds(wanted));
  }
  return error;
}

bool hasCause(const Error& e, std::string_view reason) {
  return std::ranges::any_of(e.status().details.causes, [&](const StatusCause& c) { return c.reason == reason; });
}

}  // namespace ingot::kube
