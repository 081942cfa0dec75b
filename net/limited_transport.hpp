// Lets no more than so many requests a second through: `burst` at once, then one each 1/perSecond. Others wait, in the
// order of their coming. What Kubernetes' clients call QPS and burst; a watch counts when it is opened.
#pragma once

#include "base/clock.hpp"
#include "net/client.hpp"

#include <memory>
#include <optional>

namespace ingot::net {

struct RequestRate {
  double perSecond = 20;  // > 0
  unsigned burst = 30;    // > 0
  friend bool operator==(const RequestRate&, const RequestRate&) = default;
};

class LimitedTransport final : public HttpTransport {
 public:
  // `clock` and `below` outlive this and all its clients, which share one rate. nullopt: no limit.
  LimitedTransport(base::Clock& clock, HttpTransport& below, std::optional<RequestRate> rate);
  ~LimitedTransport() override;

  [[nodiscard]] std::unique_ptr<HttpClient> connect(ClientOptions options) override;

 private:
  class Turns;
  class LimitedClient;

  HttpTransport& below_;
  std::shared_ptr<Turns> turns_;  // nullptr: no limit
};

}  // namespace ingot::net
