// How far the logs of BMCs are known to a coordinator. Kept over a restart, so that what is logged meanwhile is news,
// and what was told before is none.
#pragma once

#include "bmc/kept_file.hpp"
#include "bmc/model/log.hpp"

#include <map>
#include <optional>
#include <string>

namespace ingot::agent {

class LogPositions {
 public:
  // `file`: "" for none. `disk`: as of bmc::KeptFile.
  LogPositions(base::Runtime runtime, const std::string& file, std::shared_ptr<base::Offload> disk = nullptr);

  // nullopt: of this log at this address nothing was ever told.
  [[nodiscard]] std::optional<bmc::LogPosition> find(const std::string& host, const std::string& address,
                                                     const std::string& log) const;
  void told(const std::string& host, const std::string& address, const std::string& log, bmc::LogPosition position);

  // The host is gone, or another agent's: how far it is told then is not ours to know.
  void forget(const std::string& host);

  static constexpr std::size_t mostHosts = 20'000;  // those that were told last
  static constexpr std::size_t mostLogs = 16;       // of one host

 private:
  struct Host {
    std::string address;
    std::int64_t toldAt = 0;  // seconds since 1970
    std::map<std::string, bmc::LogPosition> logs;
    static void describe(auto& v) {
      v.field("address", &Host::address);
      v.field("toldAt", &Host::toldAt);
      v.field("logs", &Host::logs);
    }
  };
  void load(const std::string& text);
  [[nodiscard]] std::string content() const;
  void makeRoom();
  [[nodiscard]] std::int64_t secondsNow() const;

  base::Runtime runtime_;
  std::map<std::string, Host> hosts_;  // by uid
  bmc::KeptFile file_;
};

}  // namespace ingot::agent
