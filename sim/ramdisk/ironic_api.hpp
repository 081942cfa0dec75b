// The three calls that a ramdisk makes to Ironic (spec/ramdisk.md §5).
#pragma once

#include "json/value.hpp"
#include "sim/ramdisk/http_clients.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::sim::ramdisk {

struct Lookup {
  std::string nodeUuid;
  std::string token;  // "******" when Ironic has given it before
};

class IronicApi {
 public:
  explicit IronicApi(HttpClients& clients) : clients_(clients) {}

  // nullopt: not now (unknown, locked, in another state, Ironic not answering): ask again.
  [[nodiscard]] base::Task<std::optional<Lookup>> lookup(std::string apiUrl, std::vector<std::string> macs);
  // The status of the answer; 0 when there was none.
  [[nodiscard]] base::Task<int> heartbeat(std::string apiUrl, std::string nodeUuid, std::string callbackUrl,
                                          std::string token);
  // The status of the answer; 0 when there was none.
  [[nodiscard]] base::Task<int> continueInspection(std::string callbackUrl, json::Object inventory);

 private:
  HttpClients& clients_;
};

}  // namespace ingot::sim::ramdisk
