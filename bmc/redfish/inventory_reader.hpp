// Reads what hardware a system has (spec/bmc.md §17.2).
#pragma once

#include "bmc/driver.hpp"
#include "bmc/redfish/connection.hpp"
#include "bmc/redfish/hardware.hpp"

namespace ingot::bmc::redfish {

// A resource that the BMC refuses, or shows in another form, is named in `unread`, and the rest is read. Throws Error
// where the BMC stops answering, or refuses the login. Bounded in what it reads: a BMC may list anything.
class InventoryReader {
 public:
  InventoryReader(Connection& connection, Lane lane) : connection_(connection), lane_(lane) {}

  [[nodiscard]] base::Task<Inventory> read(std::string systemPath);

 private:
  template <class Resource>
  [[nodiscard]] base::Task<std::optional<Resource>> get(std::string path);
  template <class Resource>
  [[nodiscard]] base::Task<void> visit(Fact<Link> collection, std::function<void(const Resource&)> use);
  void take(const std::vector<Link>& links, std::vector<std::string>& into);

  [[nodiscard]] base::Task<Processors> processors(SystemHardware system);
  [[nodiscard]] base::Task<std::int64_t> memory(SystemHardware system);
  [[nodiscard]] base::Task<std::vector<NetworkCard>> networkCards(SystemHardware system);
  [[nodiscard]] base::Task<std::vector<Disk>> disks(SystemHardware system);
  void note(std::string why);

  Connection& connection_;
  Lane lane_;
  std::vector<std::string> unread_;
};

}  // namespace ingot::bmc::redfish
