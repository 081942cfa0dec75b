// Redfish over HTTP(S).
#pragma once

#include "bmc/bmc.hpp"
#include "bmc/quirks.hpp"
#include "bmc/redfish/connection.hpp"
#include "bmc/redfish/event_feed.hpp"
#include "bmc/redfish/leak_reader.hpp"
#include "bmc/redfish/log_reader.hpp"
#include "bmc/redfish/message_registry.hpp"

namespace ingot::bmc::redfish {

class RedfishBmc final : public Bmc {
 public:
  RedfishBmc(base::Runtime runtime, net::HttpTransport& transport, const Target& target,
             std::shared_ptr<Traffic> traffic, std::shared_ptr<OpenSessions> sessions, EventInbox* inbox);

  [[nodiscard]] std::unique_ptr<Driver> host(const Address& address) override;
  [[nodiscard]] Connection& connection() { return connection_; }
  [[nodiscard]] MessageRegistry& messages() { return messages_; }
  [[nodiscard]] EventFeed& events() { return events_; }

 private:
  base::Task<void> logOut() override;

  Connection connection_;
  MessageRegistry messages_;
  EventFeed events_;
};

class MediaDrives;

class RedfishDriver final : public Driver {
 public:
  RedfishDriver(base::Runtime runtime, std::shared_ptr<RedfishBmc> bmc, const Address& address);

  [[nodiscard]] base::Task<Identity> identify(Lane lane) override;
  [[nodiscard]] base::Task<PowerReading> readPower(Lane lane) override;
  [[nodiscard]] base::Task<HealthReading> readHealth(Lane lane) override;
  [[nodiscard]] base::Task<Inventory> readInventory(Lane lane) override;
  [[nodiscard]] base::Task<SensorReading> readSensors(Lane lane) override;
  [[nodiscard]] base::Task<LogReading> readLogs(Lane lane, LogMarks marks) override;
  [[nodiscard]] base::Task<base::Duration> followEvents(Lane lane, OnEvent onEvent) override;
  [[nodiscard]] base::Task<void> checkOffers(Lane lane, PowerAction action) override;
  [[nodiscard]] base::Task<void> requestPower(Lane lane, PowerAction action, WritePermit permit) override;
  [[nodiscard]] base::Task<BootLasts> setBoot(Lane lane, BootSetting setting, WritePermit permit) override;
  [[nodiscard]] base::Task<void> insertMedia(Lane lane, std::string image, WritePermit permit) override;
  [[nodiscard]] base::Task<void> ejectMedia(Lane lane, WritePermit permit) override;
  [[nodiscard]] base::Task<std::string> insertedMedia(Lane lane) override;
  [[nodiscard]] base::Task<std::vector<ErasableDrive>> readDrives(Lane lane) override;
  [[nodiscard]] base::Task<std::optional<ErasableDrive>> readDrive(Lane lane, std::string path) override;
  [[nodiscard]] base::Task<std::string> eraseDrive(Lane lane, ErasableDrive drive, EraseMethod method,
                                                   WritePermit permit) override;
  [[nodiscard]] base::Task<ErasureProgress> lookAtErasure(Lane lane, std::string task) override;
  [[nodiscard]] base::Task<std::string> cleanUp(Lane lane, CleaningStep step, WritePermit permit) override;
  [[nodiscard]] base::Task<void> close() override;

 private:
  base::Task<Product> product(Lane lane, System host);
  [[nodiscard]] base::Task<Quirks> quirks(Lane lane);
  [[nodiscard]] base::Task<MediaDrives> mediaDrives(Lane lane);
  void noteOff(const System& host);
  [[nodiscard]] base::Task<bool> hasRested(Lane lane, PowerAction action);
  [[nodiscard]] base::Task<std::string> pathOfSystem(Lane lane);
  [[nodiscard]] base::Task<Read<System>> system(Lane lane);
  [[nodiscard]] base::Task<System> systemToSwitch(Lane lane);
  [[nodiscard]] base::Task<std::string> findSystem(Lane lane);
  [[nodiscard]] base::Task<std::vector<std::string>> systemPaths(Lane lane);
  [[nodiscard]] base::Task<std::vector<std::string>> allowedResets(Lane lane, ResetAction action);
  struct ResetWay {
    std::string target, type;
  };
  // To be tried in this order. Error{unsupported}: there is none.
  [[nodiscard]] base::Task<std::vector<ResetWay>> resetWays(Lane lane, System host, PowerAction action);
  // True when accepted or already there; false when this ResetType is not supported.
  [[nodiscard]] base::Task<bool> tryReset(Lane lane, ResetWay way, Power wanted, WritePermit permit);

  [[nodiscard]] base::Task<bool> isInWantedState(Lane lane, int status, Power wanted);

  base::Runtime runtime_;
  std::shared_ptr<RedfishBmc> bmc_;
  BmcUse use_;
  std::string baseUrl_;
  std::string namedPath_;   // by the address; "" for none
  std::string systemPath_;  // "" until known
  std::optional<Quirks> quirks_;
  base::MonoTime quirksUntil_{};  // a new firmware may have others
  Power lastRead_ = Power::unknown;
  base::MonoTime restUntil_{};  // no On before
  std::vector<LogPlace> logs_;
  base::MonoTime logsUntil_{};  // then they are looked for again
  LeaksNowhere leaksNowhere_;
};

}  // namespace ingot::bmc::redfish
