#include "bmc/redfish/bmc.hpp"

namespace ingot::bmc::redfish {

namespace {

ConnectionOptions connectionOptions(const Target& target) {
  return {.baseUrl = target.address.baseUrl(),
          .login = target.login,
          .tls = {.verify = target.verifyCertificate,
                  .caFile = target.caPem.empty() ? target.caFile : "",
                  .caPem = target.caPem,
                  .pinnedKeys = target.pinnedKeys,
                  .legacyTls = target.legacyTls}};
}

}  // namespace

RedfishBmc::RedfishBmc(base::Runtime runtime, net::HttpTransport& transport, const Target& target,
                       std::shared_ptr<Traffic> traffic, std::shared_ptr<OpenSessions> sessions, EventInbox* inbox)
    : Bmc(std::move(runtime), target, traffic),
      connection_(runtime_, transport, governor_, std::move(sessions), connectionOptions(target)),
      messages_(runtime_.clock, connection_),
      events_(runtime_, connection_, inbox, traffic->bmc()) {}

base::Task<void> RedfishBmc::logOut() { return connection_.close(events_.takeSubscription()); }

}  // namespace ingot::bmc::redfish
