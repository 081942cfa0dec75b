// Every request to a BMC as it arrives, reads too: one JSON object a line. How hard a client presses is counted in it.
#pragma once

#include "base/clock.hpp"
#include "net/server.hpp"

#include <fstream>
#include <string>

namespace ingot::sim {

class AccessLog {
 public:
  // Appends to the file. Throws base::Error when that cannot be written.
  AccessLog(base::Clock& clock, const std::string& path);
  void record(const std::string& machine, const net::ServerRequest& request);

 private:
  base::Clock& clock_;
  std::ofstream file_;
};

// The service of one machine's BMC, with what it is asked in the log. Both are lent and outlive this.
class LoggedService final : public net::HttpHandler {
 public:
  LoggedService(net::HttpHandler& service, AccessLog& log, std::string machine)
      : service_(service), log_(log), machine_(std::move(machine)) {}
  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    log_.record(machine_, request);
    return service_.handle(std::move(request), out);
  }

 private:
  net::HttpHandler& service_;
  AccessLog& log_;
  std::string machine_;
};

}  // namespace ingot::sim
