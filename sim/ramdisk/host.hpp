// All ramdisks of a fleet: starts one when a machine boots from the network or a CD, ends it with the power, and brings
// Ironic's commands to the right one.
#pragma once

#include "net/server.hpp"
#include "sim/ramdisk/agent.hpp"

#include <map>
#include <memory>
#include <string>

namespace ingot::sim::ramdisk {

class Host final : public MachineListener, public net::HttpHandler {
 public:
  // `tasks` outlives the host and is closed before it.
  Host(base::Runtime runtime, net::HttpTransport& transport, Journal& journal, base::TaskGroup& tasks);
  ~Host() override;

  // Once the addresses are known: Ironic's http_url, and where the commands arrive ("http://127.0.0.1:8081/agent").
  void serveAt(std::string bootUrl, std::string callbackUrl);

  void booted(Machine& machine, BootDevice from) override;
  void stopped(Machine& machine) override;

  // Paths /agent/<node uuid>/v1/….
  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  [[nodiscard]] Agent* find(std::string_view nodeUuid) const;

  HttpClients clients_;
  IronicApi ironic_;
  RamdiskContext context_;
  std::map<const Machine*, std::shared_ptr<Agent>> agents_;
};

}  // namespace ingot::sim::ramdisk
