// Reads the network cards of a system (spec/bmc.md §17.2).
#pragma once

#include "bmc/model/inventory.hpp"
#include "bmc/redfish/hardware.hpp"
#include "bmc/redfish/walker.hpp"

namespace ingot::bmc::redfish {

// The interfaces that the system lists; their models from the adapters of its chassis, by MAC. Where it lists none, the
// adapters' own, of chassis that are of no other system alone: only then what cannot be read of adapters is missed.
// `walker` is lent.
class NetworkCards {
 public:
  NetworkCards(Connection& connection, Lane lane, Walker& walker) : walker_(walker), adapterWalker_(connection, lane) {}

  [[nodiscard]] base::Task<std::vector<NetworkCard>> read(std::string systemPath, SystemHardware system);

 private:
  [[nodiscard]] base::Task<void> readAdapters(std::vector<std::string> chassis, std::vector<std::string>& contained);
  [[nodiscard]] base::Task<void> readAdapter(std::string path);
  [[nodiscard]] base::Task<void> readPorts(std::string adapter, std::string model, Link ports);
  void add(NetworkCard card);

  Walker& walker_;
  Walker adapterWalker_;
  bool hasInterfaces_ = false;
  std::string systemPath_;
  std::size_t adapters_ = 0;
  std::vector<NetworkCard> cards_;
};

}  // namespace ingot::bmc::redfish
