// Reads the network cards of a system (spec/bmc.md §17.2).
#pragma once

#include "bmc/model/inventory.hpp"
#include "bmc/redfish/hardware.hpp"
#include "bmc/redfish/walker.hpp"

namespace ingot::bmc::redfish {

// The interfaces that the system lists; what their ports are plugged into, and their models, from the adapters of its
// chassis, by MAC. Where it lists none, the adapters' own, of chassis that are of no other system alone: only then does
// a BMC that stops answering amid adapters end the reading. `walker` is lent.
class NetworkCards {
 public:
  NetworkCards(Connection& connection, Lane lane, Walker& walker);

  [[nodiscard]] base::Task<std::vector<NetworkCard>> read(std::string systemPath, SystemHardware system);

 private:
  // What is known of the ports of an adapter before they are read.
  struct Ports {
    std::string adapter, model;
    std::map<std::string, std::vector<std::string>> macs;  // of the functions behind a port, by its path
    bool areCards = false;                                 // no function is one
  };
  [[nodiscard]] base::Task<void> readInterfaces(std::optional<Link> interfaces);
  [[nodiscard]] base::Task<void> readAllAdapters(std::vector<std::string> chassis);
  [[nodiscard]] base::Task<void> readAdapters(std::vector<std::string> chassis, std::vector<std::string>& contained);
  [[nodiscard]] base::Task<void> readAdapter(std::string path);
  [[nodiscard]] base::Task<void> readPorts(Ports known, Link ports);
  enum class Unknown { isNew, isNone };
  void add(NetworkCard card, Unknown unknown);

  Walker& walker_;
  Walker adapterWalker_;
  bool hasInterfaces_ = false;
  std::string systemPath_;
  std::size_t adapters_ = 0;
  std::vector<NetworkCard> cards_;
};

}  // namespace ingot::bmc::redfish
