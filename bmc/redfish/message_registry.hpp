// Words for refusals that carry only the identifier of a message: the BMC's own registries have them (spec/bmc.md §2.3
// rule 7). One for each connection; an identifier is looked up once.
#pragma once

#include "bmc/redfish/connection.hpp"

#include <map>

namespace ingot::bmc::redfish {

class MessageRegistry {
 public:
  MessageRegistry(base::Clock& clock, Connection& connection) : clock_(clock), connection_(connection) {}

  // What `body` says, in words as far as they are to be had within a few seconds. Throws nothing but Cancelled.
  [[nodiscard]] base::Task<std::string> textOf(Lane lane, ErrorBody body);

 private:
  [[nodiscard]] base::Task<std::string> lookUp(Lane lane, std::string id);
  [[nodiscard]] base::Task<std::string> findIn(Lane lane, std::string filePath, std::string key);

  base::Clock& clock_;
  Connection& connection_;
  std::map<std::string, std::string> known_;  // by identifier; "" where there was none
};

// "Base.1.8.1" of "Base.1.8.1.PropertyMissing"; "" for anything else.
[[nodiscard]] std::string_view registryOf(std::string_view messageId);

// `text` with %1 … %9 replaced by `args`; a placeholder without an argument stays as it is. It ends once `most` bytes
// are reached.
[[nodiscard]] std::string substituted(std::string_view text, const std::vector<std::string>& args, std::size_t most);

}  // namespace ingot::bmc::redfish
