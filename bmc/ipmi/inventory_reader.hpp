// What IPMI tells of a machine, which is little (spec/bmc.md §15.8, docs/decisions/0039).
#pragma once

#include "bmc/ipmi/connection.hpp"
#include "bmc/model/inventory.hpp"

#include <functional>
#include <optional>

namespace ingot::bmc::ipmi {

class InventoryReader {
 public:
  // `read` runs one command of ipmitool (Connection::read).
  using Read = std::function<base::Task<Connection::Answer>(std::vector<std::string> command)>;
  explicit InventoryReader(Read read) : read_(std::move(read)) {}

  // `mc info`, the FRU of the machine, those of its parts (so many as Inventory holds), and where the BMC is on its
  // network: each a run of its own, so that others have their turn between them. What IPMI has no words for is
  // `untold`. Throws where the first cannot be read; what else cannot is named.
  [[nodiscard]] base::Task<Inventory> read();

 private:
  [[nodiscard]] base::Task<void> readMachine();
  [[nodiscard]] base::Task<void> readModules();
  [[nodiscard]] base::Task<void> readNetwork();
  enum class Absent { isNoted, isFine };
  // nullopt: it could not be read, and why is noted.
  [[nodiscard]] base::Task<std::optional<Connection::Answer>> tryRead(std::vector<std::string> command,
                                                                      Absent absent = Absent::isNoted);

  Read read_;
  Inventory found_;
  bool isSilent_ = false;  // the rest is not asked for
};

}  // namespace ingot::bmc::ipmi
