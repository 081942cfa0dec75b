// What agents have read of a host, for people and programs that ask: the newest sensors, the end of the BMC's log, its
// hardware.
// Shaped as a Kubernetes API, so that the embedded one can serve it below its own paths; nothing of it is stored there.
#pragma once

#include "api/readings.hpp"
#include "base/runtime.hpp"
#include "coordinator/agents/hardware_book.hpp"
#include "coordinator/agents/log_book.hpp"
#include "coordinator/agents/reading_book.hpp"
#include "json/value.hpp"
#include "net/server.hpp"

#include <memory>
#include <string_view>

namespace ingot::coordinator::readings {

// GET …/namespaces/NAMESPACE/hosts/NAME/sensors (a HostSensors), …/logs (a HostLogs) and …/inventory (a HostInventory);
// others are answered by a Status. What an agent does not read of late has a `notRead` {class, detail, since}. Only the
// coordinator that leads knows: others answer 503.
class Api final : public net::HttpHandler {
 public:
  static constexpr std::string_view prefix = api::kReadingsPath;

  explicit Api(base::Runtime runtime) : runtime_(std::move(runtime)) {}

  // As long as they live.
  struct Books {
    std::weak_ptr<const agents::ReadingBook> sensors;
    std::weak_ptr<const agents::LogBook> logs;
    std::weak_ptr<const agents::HardwareBook> hardware;
  };
  void show(Books books) { books_ = std::move(books); }

  [[nodiscard]] static bool serves(std::string_view path);
  [[nodiscard]] bool isAuthenticated(const net::ServerRequest&) const override { return false; }
  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  [[nodiscard]] net::HttpResponse answer(const net::ServerRequest& request) const;
  [[nodiscard]] net::HttpResponse sensorsOf(const kube::ObjectKey& host) const;
  [[nodiscard]] net::HttpResponse logsOf(const kube::ObjectKey& host) const;
  [[nodiscard]] net::HttpResponse inventoryOf(const kube::ObjectKey& host) const;
  [[nodiscard]] net::HttpResponse observed(std::string_view kind, const kube::ObjectKey& host,
                                           const std::string& document, base::Duration age, std::string_view what,
                                           const std::string& bootProgress = {}) const;
  [[nodiscard]] std::string timeBefore(base::Duration age) const;
  // Its head, and why an agent does not read it of late.
  [[nodiscard]] json::Object bodyOf(std::string_view kind, const kube::ObjectKey& host, std::string_view what) const;
  [[nodiscard]] json::Value obstacleTo(const kube::ObjectKey& host, std::string_view what) const;
  [[nodiscard]] net::HttpResponse notRead(const kube::ObjectKey& host, std::string_view what,
                                          std::string otherwise) const;

  base::Runtime runtime_;
  Books books_;
};

}  // namespace ingot::coordinator::readings
