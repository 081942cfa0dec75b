// One request in memory: the client's end and the handler's end of it.
#pragma once

#include "base/sync.hpp"
#include "net/server.hpp"

#include <optional>
#include <string>

namespace ingot::net {

class LoopbackExchange {
 public:
  explicit LoopbackExchange(const base::Executor& executor) : changed(executor), taken_(executor) {}

  // The handler's whole run on this exchange; leaves it ended or failed.
  [[nodiscard]] base::Task<void> run(HttpHandler& handler, ServerRequest request);

  // --- the client's end ---
  base::Notifier changed;  // notified whenever one of these changes
  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] bool over() const { return ended_ || failure_.has_value(); }
  [[nodiscard]] bool readable() const { return !body_.empty(); }
  void throwIfFailed(const std::string& name) const;
  [[nodiscard]] std::string takeBody();
  void drop();  // the client is not interested any more

  // The server's end breaks: the client sees a reset, the handler is cancelled.
  void cut();

  int status = 0;
  Headers headers;

 private:
  class Output;
  void fail(std::string why);

  base::AbortSource abort_;
  base::Notifier taken_;
  std::string body_;
  std::optional<std::string> failure_;
  bool head_ = false, begun_ = false, ended_ = false, dropped_ = false;
};

}  // namespace ingot::net
