// The running simulator: machines, their BMCs, the ramdisks, and one front server for everything else.
#pragma once

#include "base/runtime.hpp"
#include "base/subprocess.hpp"
#include "net/certificates.hpp"
#include "net/client.hpp"
#include "net/server.hpp"
#include "sim/fleet/options.hpp"
#include "sim/http/access_log.hpp"
#include "sim/http/static_files.hpp"
#include "sim/ipmi/bmc.hpp"
#include "sim/machine/machine.hpp"
#include "sim/ramdisk/host.hpp"
#include "sim/redfish/service.hpp"
#include "sim/system/systems.hpp"

#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::sim {

class Fleet {
 public:
  // Nothing listens yet. `transport` and `runner` are lent.
  Fleet(base::Runtime runtime, net::HttpTransport& transport, base::ProcessRunner& runner, FleetOptions options);
  ~Fleet();
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  // Throws base::Error naming the address when one cannot be listened on.
  void start();
  [[nodiscard]] base::Task<void> stop();

  [[nodiscard]] Machine* find(std::string_view name);
  void setFault(Machine& machine, Fault fault, bool on);
  [[nodiscard]] Journal& journal() { return journal_; }

  [[nodiscard]] std::string url() const;  // of the front
  [[nodiscard]] std::string caFile() const { return options_.dataFolder + "/ca.pem"; }
  // Everything that a client must know to use the fleet; what the ready file holds.
  [[nodiscard]] json::Object description() const;

 private:
  struct Member;
  class Boots;
  class Front;
  void startRedfish(Member& member);
  void startIpmi(Member& member);
  [[nodiscard]] json::Object describe(const Member& member) const;

  base::Runtime runtime_;
  net::HttpTransport& transport_;
  base::ProcessRunner& runner_;
  FleetOptions options_;
  Journal journal_;
  std::ofstream journalFile_;  // the same, one JSON object a line, for whoever comes after a crash
  std::optional<AccessLog> accessLog_;
  std::optional<net::CertificateAuthority> authority_;  // once a BMC needs it
  base::TaskGroup tasks_;
  ramdisk::Host ramdisks_;
  system::Systems systems_;
  std::unique_ptr<Boots> boots_;
  StaticFiles files_;
  std::vector<std::unique_ptr<Member>> members_;
  std::unique_ptr<Front> front_;
  std::unique_ptr<net::Server> frontServer_;
};

}  // namespace ingot::sim
