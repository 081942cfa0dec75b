// The outermost transport of a process in shadow: reads pass, and no request that changes anything does, whoever makes
// it. It is taken down as a decision and answered as the server would, so that the pass that made it goes on.
//
// What passes beside reads: the reviews by which Kubernetes says whose a token is and what he may. It keeps none of
// them. What is not known here (a path, a verb) does not pass, nor do reads that reach through an object to what runs
// there (exec, proxy): they may do anything.
//
// Lists and watches that pass are shown to the book, which forgets a workload cluster with the last client for it.
#pragma once

#include "base/metrics.hpp"
#include "base/runtime.hpp"
#include "coordinator/shadow/book.hpp"
#include "coordinator/shadow/lines_a_minute.hpp"
#include "net/client.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>

namespace ingot::coordinator::shadow {

// What Ironic would have been asked for.
struct Asked {
  base::WallTime first{}, last{};
  std::uint64_t times = 0;
  std::string method, what;
};

class Fence final : public net::HttpTransport {
 public:
  // All that is lent outlives the clients. `server`: where the management cluster is; others are workload clusters.
  Fence(base::Runtime runtime, net::HttpTransport& below, Book& book, base::Metrics& metrics, std::string salt);

  // Who is asked for objects without being told of as another cluster.
  void home(const std::string& server);

  // The controller that a client works for is the second part of its user agent, "ingot/NAME".
  [[nodiscard]] std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override;

  [[nodiscard]] const std::deque<Asked>& asked() const { return asked_; }  // of Ironic, what was asked last at the end

 private:
  class Client;
  class Watch;
  class Connection;
  [[nodiscard]] std::shared_ptr<Connection> connectionTo(const std::string& server);
  void ask(const net::HttpRequest& request);
  [[nodiscard]] std::string clusterOf(const std::string& server) const;

  base::Runtime runtime_;
  net::HttpTransport& below_;
  Book& book_;
  base::Metrics& metrics_;
  std::string salt_, home_;
  std::map<std::string, std::weak_ptr<Connection>> connections_;  // by server
  std::deque<Asked> asked_;
  LinesAMinute lines_;
};

// "ingot/metal3machine": of a client that this controller works with.
[[nodiscard]] std::string userAgentOf(std::string_view controller);

}  // namespace ingot::coordinator::shadow
