// The link between a client and any server: it can be cut, and its streams can be held or broken.
#pragma once

#include "base/sync.hpp"
#include "net/client.hpp"

#include <set>
#include <string>
#include <vector>

namespace ingot::tests {

class Link final : public net::HttpTransport {
 public:
  Link(base::Runtime runtime, net::HttpTransport& inner) : inner_(inner), changed_(runtime.executor) {}

  std::vector<std::string> log;  // "GET /apis/…"
  [[nodiscard]] std::size_t count(std::string_view prefix) const;
  // While streams are held, what the server sends does not reach the client.
  void holdStreams(bool held);
  void breakStreams();
  // While the link is cut nothing passes in either direction.
  void cut(bool isCut);

  [[nodiscard]] std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override;

 private:
  friend class LinkClient;
  friend class LinkStream;
  void note(const net::HttpRequest& request);

  net::HttpTransport& inner_;
  base::Notifier changed_;
  std::set<base::AbortSource*> reading_;
  unsigned breaks_ = 0;
  bool held_ = false, cut_ = false;
};

}  // namespace ingot::tests
