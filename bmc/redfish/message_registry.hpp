// Words for messages that come as their identifier alone: the BMC's own registries have them (spec/bmc.md §2.3 rule 7).
// One for each connection; an identifier is looked up once.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"
#include "bmc/lane.hpp"
#include "bmc/redfish/error_body.hpp"

#include <map>
#include <set>

namespace ingot::bmc::redfish {

class Connection;

class MessageRegistry {
 public:
  // `connection` outlives it.
  MessageRegistry(base::Clock& clock, Connection& connection) : clock_(clock), connection_(connection) {}

  // What `body` says, in words as far as they are to be had within a few seconds. Throws nothing but Cancelled.
  [[nodiscard]] base::Task<std::string> textOf(Lane lane, ErrorBody body);
  // Likewise of one message; else shown().
  [[nodiscard]] base::Task<std::string> wordsOf(Lane lane, UnresolvedMessage message);
  // Looks all of them up within that time, so that each registry is read once; none for a while after that has failed.
  [[nodiscard]] base::Task<void> learn(Lane lane, std::set<std::string> ids);

 private:
  [[nodiscard]] base::Task<void> lookUp(Lane lane, std::set<std::string> ids);
  [[nodiscard]] base::Task<void> readFile(Lane lane, std::string filePath, std::set<std::string> ids);
  void note(const std::string& id, const std::string& text);

  base::Clock& clock_;
  Connection& connection_;
  std::map<std::string, std::string> known_;  // by identifier; "" where there was none
  base::MonoTime quietUntil_{};
};

// "Base.1.8.1" of "Base.1.8.1.PropertyMissing"; "" for anything else.
[[nodiscard]] std::string_view registryOf(std::string_view messageId);

// `text` with %1 … %9 replaced by `args`; a placeholder without an argument stays as it is. It ends once `most` bytes
// are reached.
[[nodiscard]] std::string substituted(std::string_view text, const std::vector<std::string>& args, std::size_t most);

}  // namespace ingot::bmc::redfish
