// REST interface to the running simulator, below /control/.
//   GET  /control/fleet                          addresses, credentials, power, faults, disk files of all machines
//   GET  /control/journal?since=N&machine=NAME   who changed what
//   PUT  /control/machines/NAME/faults/FAULT     {"on": true, "seconds": 5}
//   POST /control/machines/NAME/chassis          {"words": ["get", "power"]}   ipmi_sim's chassis control
#pragma once

#include "net/server.hpp"

#include <string_view>

namespace ingot::sim {
class Fleet;
}

namespace ingot::sim::control {

class Api final : public net::HttpHandler {
 public:
  explicit Api(Fleet& fleet) : fleet_(fleet) {}
  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  [[nodiscard]] net::HttpResponse answer(const net::ServerRequest& request);
  [[nodiscard]] net::HttpResponse journal(std::string_view query);
  [[nodiscard]] net::HttpResponse ofMachine(const net::ServerRequest& request, std::string_view rest);
  Fleet& fleet_;
};

}  // namespace ingot::sim::control
