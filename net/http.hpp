// HTTP messages and the two transports' shared vocabulary.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot::net {

[[nodiscard]] bool sameHeaderName(std::string_view a, std::string_view b);  // without case

// Names compare without case; order and repetition are kept.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<std::pair<std::string, std::string>> items) : items_(items) {}

  void set(std::string_view name, std::string value);  // replaces every field of that name
  void add(std::string name, std::string value);
  void remove(std::string_view name);
  [[nodiscard]] std::optional<std::string> find(std::string_view name) const;  // the first one
  [[nodiscard]] std::string get(std::string_view name) const;                  // "" when absent
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& all() const { return items_; }

 private:
  std::vector<std::pair<std::string, std::string>> items_;
};

struct HttpResponse {
  int status = 0;
  Headers headers;
  std::string body;

  [[nodiscard]] bool ok() const { return status >= 200 && status < 300; }
};

// Why no usable answer came. HTTP statuses are answers, not errors.
class HttpError final : public base::Error {
 public:
  enum class Code {
    unreachable,   // name not resolved, connection refused, no route
    reset,         // connection lost before the whole answer: the request may or may not have been carried out
    timeout,       // connect, total or low-speed deadline
    tls,           // certificate not trusted, wrong name, handshake refused
    bodyTooLarge,  // the answer exceeded its cap
    badRequest,    // the URL or a header is not sendable
    protocol,      // not HTTP
  };
  HttpError(Code code, const std::string& text) : Error(text), code_(code) {}
  [[nodiscard]] Code code() const { return code_; }

 private:
  Code code_;
};

}  // namespace ingot::net
