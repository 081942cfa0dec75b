#include "bmc/bmc_pool.hpp"

#include "bmc/ipmi/driver.hpp"
#include "bmc/redacted_capabilities.hpp"
#include "bmc/redfish/bmc.hpp"

namespace ingot::bmc {

namespace {

bool isIpmi(const Target& target) { return target.address.traits().protocol == Protocol::ipmi; }

// All that makes one connection, but for the password: what is secret is not kept when nobody uses it.
std::string keyOf(const Target& target, const std::string& bmc) {
  if (isIpmi(target)) return fmt::format("{}\n{}\n{}", bmc, target.login.username, target.address.privilegeLevel);
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", bmc, target.login.username, target.verifyCertificate,
                     target.legacyTls, target.pinnedKeys, target.caFile, target.caPem);
}

std::shared_ptr<Bmc> connect(base::Runtime runtime, Transports transports, const Target& target,
                             std::shared_ptr<Traffic> traffic, std::shared_ptr<OpenSessions> sessions) {
  if (isIpmi(target))
    return std::make_shared<ipmi::IpmiBmc>(std::move(runtime), transports.processes, target, std::move(traffic),
                                           transports.ipmitoolHome);
  return std::make_shared<redfish::RedfishBmc>(std::move(runtime), transports.http, target, std::move(traffic),
                                               std::move(sessions), transports.eventInbox);
}

}  // namespace

BmcPool::BmcPool(base::Runtime runtime, Transports transports, GovernorOptions options, const RememberedFiles& files)
    : runtime_(std::move(runtime)),
      transports_(transports),
      traffics_(runtime_, options, files.refusedLogins, files.disk),
      sessions_(std::make_shared<OpenSessions>(runtime_, files.sessions, files.disk)) {}

std::unique_ptr<Driver> BmcPool::open(const Target& target) {
  return std::make_unique<Driver>(redacted(find(target)->host(target.address), target.login.password));
}

std::shared_ptr<Bmc> BmcPool::find(const Target& target) {
  auto traffic = traffics_.of(target.address);
  const auto key = keyOf(target, traffic->bmc());
  const auto [first, last] = bmcs_.equal_range(key);
  for (auto it = first; it != last; ++it)
    if (auto bmc = it->second.lock(); bmc && !bmc->isClosed() && bmc->hasPassword(target.login.password)) return bmc;
  sweep_.before(bmcs_);
  auto bmc = connect(runtime_, transports_, target, std::move(traffic), sessions_);
  bmcs_.emplace(key, bmc);
  return bmc;
}

std::unique_ptr<Driver> openDriver(base::Runtime runtime, Transports transports, const Target& target) {
  return BmcPool(std::move(runtime), transports, {}).open(target);
}

}  // namespace ingot::bmc
