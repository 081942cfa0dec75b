#include "coordinator/host/settings.hpp"

#include "tests/coordinator/host/hosts.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace coordinator::host;

api::RaidConfig raid(bool hardwareList, int hardware, bool softwareList, int software) {
  api::RaidConfig config;
  if (hardwareList) config.hardwareRAIDVolumes.emplace(hardware, api::HardwareRaidVolume{.level = "1"});
  if (softwareList) config.softwareRAIDVolumes.emplace(software, api::SoftwareRaidVolume{.level = "1"});
  return config;
}

api::BareMetalHost hostWith(std::optional<api::RaidConfig> wanted, std::optional<api::RaidConfig> applied) {
  auto host = aHost(State::available).build();
  host.spec.raid = std::move(wanted);
  host.status.provisioning.raid = std::move(applied);
  return host;
}

struct RaidRow {
  std::optional<api::RaidConfig> wanted, applied, target;
};

TEST_CASE("the RAID to apply follows from spec and status", "[host][settings]") {
  const api::RaidConfig none{};
  const RaidRow rows[] = {
      {std::nullopt, std::nullopt, std::nullopt},
      {none, std::nullopt, std::nullopt},
      {std::nullopt, raid(true, 1, false, 0), raid(true, 1, true, 0)},  // hardware volumes stay
      {none, raid(false, 0, true, 1), raid(false, 0, true, 0)},         // software volumes go
      {std::nullopt, raid(true, 0, true, 0), raid(false, 0, true, 0)},
      {raid(true, 0, false, 0), std::nullopt, raid(true, 0, false, 0)},  // []: delete all hardware volumes
      {raid(true, 2, false, 0), raid(true, 1, true, 0), raid(true, 2, false, 0)},
  };
  for (const RaidRow& row : rows) CHECK(wantedSettings(hostWith(row.wanted, row.applied)).raid == row.target);
}

TEST_CASE("settings that were recorded do not differ any more", "[host][settings]") {
  auto host = hostWith(std::nullopt, raid(true, 1, true, 1));
  REQUIRE(settingsDiffer(host));
  recordSettings(host, wantedSettings(host));
  CHECK_FALSE(settingsDiffer(host));
}

TEST_CASE("a null and an empty list of volumes are different wishes", "[host][settings]") {
  CHECK(settingsDiffer(hostWith(raid(true, 0, false, 0), raid(false, 0, false, 0))));
}

TEST_CASE("explicit hints replace the profile's completely", "[host][settings]") {
  auto host = aHost(State::available).build();
  host.status.hardwareProfile = "unknown";
  CHECK(wantedSettings(host).rootDeviceHints->deviceName == "/dev/sda");
  host.spec.rootDeviceHints = api::RootDeviceHints{.model = "fast"};
  CHECK(wantedSettings(host).rootDeviceHints == api::RootDeviceHints{.model = "fast"});
}

TEST_CASE("a software volume that is the root leaves no hints", "[host][settings]") {
  auto host = hostWith(raid(false, 0, true, 1), std::nullopt);
  host.spec.rootDeviceHints = api::RootDeviceHints{.model = "fast"};
  host.spec.raid->softwareRAIDVolumes->front().rootVolume = true;
  CHECK_FALSE(wantedSettings(host).rootDeviceHints);
}

TEST_CASE("clearing keeps hardware volumes, so that they are not built again", "[host][settings]") {
  auto host = hostWith(std::nullopt, raid(true, 1, true, 1));
  host.status.provisioning.rootDeviceHints = api::RootDeviceHints{.model = "fast"};
  clearSettings(host);
  CHECK_FALSE(host.status.provisioning.rootDeviceHints);
  CHECK(host.status.provisioning.raid == raid(true, 1, false, 0));

  auto bare = hostWith(std::nullopt, raid(false, 0, true, 0));  // that there are no volumes stays known
  clearSettings(bare);
  CHECK(bare.status.provisioning.raid == raid(false, 0, true, 0));
}

}  // namespace
}  // namespace ingot::tests
