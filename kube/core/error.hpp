// Why the API did not do what it was asked: callers switch on code().
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "kube/core/status.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ingot::kube {

class Error final : public base::Error {
 public:
  enum class Code {
    // The server answered.
    badRequest,            // 400
    unauthorized,          // 401
    forbidden,             // 403
    notFound,              // 404
    methodNotAllowed,      // 405
    conflict,              // 409: the object moved on; read it again and decide again
    alreadyExists,         // 409 at create
    gone,                  // 410: that resourceVersion is no longer known; list again
    tooLarge,              // 413
    unsupportedMediaType,  // 415, 406
    invalid,               // 422
    tooManyRequests,       // 429
    internal,              // 500 and whatever has no line of its own
    unavailable,           // 502, 503
    serverTimeout,         // 504, or reason Timeout / ServerTimeout
    // The server did not answer.
    unreachable,  // the request never arrived
    interrupted,  // connection lost or out of time: a write may or may not have happened
    untrusted,    // TLS
    badAnswer,    // not what this API speaks
  };

  Error(Code code, const std::string& text) : base::Error(text), code_(code) {}
  Error(Code code, Status status, const std::string& text);

  [[nodiscard]] Code code() const { return code_; }
  [[nodiscard]] const Status& status() const { return status_; }  // all empty when the server did not answer
  [[nodiscard]] std::optional<base::Duration> retryAfter() const { return retryAfter_; }
  void retryAfter(base::Duration d) { retryAfter_ = d; }
  // Trying the same again later may help without anybody changing anything.
  [[nodiscard]] bool transient() const;

 private:
  Code code_;
  Status status_;
  std::optional<base::Duration> retryAfter_;
};

[[nodiscard]] std::string_view nameOf(Error::Code code);

// From an answer that is not 2xx: its Status when the body holds one, else the bare HTTP status.
[[nodiscard]] Error errorFrom(int httpStatus, std::string_view body, std::string_view retryAfterHeader,
                              const std::string& doing);

// True when `name` is what `e` complains about: {"reason":"NamespaceTerminating"} and the like.
[[nodiscard]] bool hasCause(const Error& e, std::string_view reason);

}  // namespace ingot::kube
