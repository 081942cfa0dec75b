// Why Ironic did not do what was asked.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace ingot::ironic {

class Error final : public base::Error {
 public:
  enum class Code {
    notFound,       // 404
    nodeLocked,     // 409: another task of Ironic's holds the node; the same call may be repeated soon
    conflict,       // 409 otherwise: wrong state for this, duplicate name or address
    badRequest,     // 400
    unauthorized,   // 401, 403
    notAcceptable,  // 406: the microversion is not served
    unavailable,    // not reachable, timed out, 5xx
    interrupted,    // the connection broke after a change was sent: carried out or not, nobody knows
    unreadable,     // an answer that is none
    tooOld,         // the server's newest API version is below what we need
    noDrivers,      // no conductor is alive
  };
  Error(Code code, const std::string& text, int status = 0) : base::Error(text), code_(code), status_(status) {}

  [[nodiscard]] Code code() const { return code_; }
  [[nodiscard]] int status() const { return status_; }  // of HTTP; 0 when there was none
  // Ironic has answered, and nothing has begun. (A 5xx may be of a proxy, behind which it was carried out.)
  [[nodiscard]] bool refused() const { return status_ >= 400 && status_ < 500; }
  // Wait a moment and do it again: nothing is wrong with the request.
  [[nodiscard]] bool busy() const {
    return code_ == Code::nodeLocked || code_ == Code::conflict || code_ == Code::interrupted;
  }

 private:
  Code code_;
  int status_;
};

// What an error answer says to people: the fault text out of Ironic's doubly encoded body, else the trimmed body.
[[nodiscard]] std::string faultText(std::string_view body);

// The error for an answer whose status was not `expected`.
[[nodiscard]] Error errorFrom(std::string_view method, std::string_view url, int expected, int status,
                              std::string_view body);

}  // namespace ingot::ironic
