#include "agent/log_positions.hpp"

#include "json/describe.hpp"

#include <algorithm>

namespace ingot::agent {

LogPositions::LogPositions(base::Runtime runtime, const std::string& file, std::shared_ptr<base::Offload> disk)
    : runtime_(runtime),
      file_(runtime, file, "the list of what logs have told", [this] { return content(); }, std::move(disk)) {
  file_.read([this](const std::string& text) { load(text); });
}

std::optional<bmc::LogPosition> LogPositions::find(const std::string& host, const std::string& address,
                                                   const std::string& log) const {
  const auto found = hosts_.find(host);
  if (found == hosts_.end() || found->second.address != address) return std::nullopt;
  const auto position = found->second.logs.find(log);
  return position == found->second.logs.end() ? std::nullopt : std::optional(position->second);
}

void LogPositions::told(const std::string& host, const std::string& address, const std::string& log,
                        bmc::LogPosition position) {
  auto& kept = hosts_[host];
  if (kept.address != address) kept = {.address = address, .toldAt = 0, .logs = {}};
  kept.toldAt = secondsNow();
  const auto before = kept.logs.find(log);
  if (before != kept.logs.end() && before->second == position) return;
  if (before == kept.logs.end() && kept.logs.size() >= mostLogs) kept.logs.clear();  // a BMC that names ever new ones
  kept.logs[log] = std::move(position);
  makeRoom();
  file_.changed();
}

void LogPositions::forget(const std::string& host) {
  if (hosts_.erase(host) > 0) file_.changed();
}

void LogPositions::makeRoom() {
  if (hosts_.size() > mostHosts)
    hosts_.erase(std::ranges::min_element(hosts_, {}, [](const auto& entry) { return entry.second.toldAt; }));
}

void LogPositions::load(const std::string& text) {
  try {
    hosts_ = json::decode<std::map<std::string, Host>>(json::parse(text));
  } catch (const base::Error& error) {
    throw base::Error(fmt::format("it is damaged, and begun anew: {}", error.what()));
  }
}

std::string LogPositions::content() const { return json::serialize(json::encode(hosts_)); }

std::int64_t LogPositions::secondsNow() const {
  return std::chrono::floor<std::chrono::seconds>(runtime_.clock.wall()).time_since_epoch().count();
}

}  // namespace ingot::agent
