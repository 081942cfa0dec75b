// Is Ironic there? One answer for everybody, believed for a while, asked for once at a time (spec/ironic.md §1.6).
#pragma once

#include "base/sync.hpp"
#include "ironic-client/client.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace ingot::ironic {

class Connection {
 public:
  Connection(base::Runtime runtime, net::HttpTransport& transport, Settings settings);
  ~Connection();

  // The client, when Ironic was ready less than the TTL ago or is now. Throws Error as Client::probe.
  // Only success is remembered.
  [[nodiscard]] base::Task<std::shared_ptr<Client>> ready();

  // Something said that Ironic is not what it was (unreachable, other version): ask again next time.
  void invalidate();

  // Called each time Ironic was asked whether it is ready.
  void onAnswer(std::function<void(bool isReady)> answered) { answered_ = std::move(answered); }
  // Called each time Ironic is ready again after it was not.
  void onReturn(std::function<void()> returned) { returned_ = std::move(returned); }
  [[nodiscard]] bool down() const { return down_; }

 private:
  [[nodiscard]] bool believed() const;
  void noteDown(const Error& error);
  void noteUp();

  base::Runtime runtime_;
  net::HttpTransport& transport_;
  Settings settings_;
  std::shared_ptr<Client> client_;
  std::optional<base::MonoTime> provedAt_;
  bool down_ = false;
  base::Semaphore probing_;
  std::function<void()> returned_;
  std::function<void(bool)> answered_;
};

}  // namespace ingot::ironic
