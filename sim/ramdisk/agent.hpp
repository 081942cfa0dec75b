// One boot of the ramdisk on one machine: from reading its parameters to the power-off that ends it.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "net/server.hpp"
#include "sim/machine/machine.hpp"
#include "sim/ramdisk/command.hpp"
#include "sim/ramdisk/ironic_api.hpp"
#include "sim/ramdisk/parameters.hpp"

#include <deque>
#include <memory>
#include <string>

namespace ingot::sim::ramdisk {

// What every ramdisk of the fleet shares.
struct RamdiskContext {
  base::Runtime runtime;
  HttpClients& clients;
  IronicApi& ironic;
  Journal& journal;
  base::TaskGroup& tasks;
  std::string bootUrl;      // where iPXE finds what Ironic prepared: its http_url
  std::string callbackUrl;  // of the handler that serves commands, "…/agent"
};

// What the ramdisk finds on the machine, in Ironic's words (spec/ramdisk.md §5).
[[nodiscard]] json::Object inventoryOf(const Machine& machine);

class Agent : public std::enable_shared_from_this<Agent> {
 public:
  Agent(RamdiskContext& context, Machine& machine, BootDevice from);

  // Boots and serves Ironic until end() or until there is nothing to do.
  [[nodiscard]] base::Task<void> run();
  // The machine lost power: everything stops and is forgotten.
  void end();

  [[nodiscard]] const std::string& nodeUuid() const { return nodeUuid_; }
  // A request below <callback>/v1/.
  [[nodiscard]] net::HttpResponse handle(const net::ServerRequest& request, std::string_view path);

 private:
  [[nodiscard]] base::Task<void> live();
  [[nodiscard]] base::Task<std::optional<Parameters>> readParameters();
  [[nodiscard]] base::Task<void> inspect();
  [[nodiscard]] base::Task<void> lookUp();
  [[nodiscard]] base::Task<void> sendHeartbeats();

  [[nodiscard]] net::HttpResponse accept(std::string_view body);
  void start(Command& command, const std::string& extension, json::Value params);
  void startStep(Command& command, const char* stepKey, json::Value params);
  [[nodiscard]] base::Task<void> work(std::string id, const char* stepKey, json::Value params);
  [[nodiscard]] base::Task<void> runStep(std::string name, json::Value params);
  [[nodiscard]] Command* find(std::string_view id);
  [[nodiscard]] bool busy() const;
  void note(const std::string& action, const std::string& detail);

  RamdiskContext& context_;
  Machine& machine_;
  BootDevice from_;
  base::AbortSource life_, work_;
  base::Notifier commandEnded_;
  Parameters parameters_;
  std::string nodeUuid_, token_;
  std::deque<Command> commands_;  // since boot, in order
};

}  // namespace ingot::sim::ramdisk
