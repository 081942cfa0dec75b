// Bytes into requests: Beast's parser behind a plain class.
#pragma once

#include "net/server.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace ingot::net {

class RequestParser {
 public:
  RequestParser(std::size_t headerLimit, std::size_t bodyLimit);
  ~RequestParser();

  enum class State { needMore, done, refused };

  // Takes what belongs to this request from the front of `input`; the rest is the next one's.
  State feed(std::string& input);

  // For refused: what to answer (400, 413, 431) before the connection is closed.
  [[nodiscard]] HttpResponse refusal() const;
  // Once, when the head is there and the body is not.
  [[nodiscard]] std::optional<ServerRequest> takeHead();
  // True once, when the client waits for "100 Continue" before it sends its body.
  [[nodiscard]] bool takeExpectation();

  // For done.
  [[nodiscard]] ServerRequest take();
  [[nodiscard]] bool keepAlive() const;
  [[nodiscard]] bool http10() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// "Not Found" for 404.
[[nodiscard]] std::string reasonFor(int status);

}  // namespace ingot::net
