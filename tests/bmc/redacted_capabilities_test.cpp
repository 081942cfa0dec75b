// What a BMC says never shows the password that it was sent, whatever it is asked.
#include "bmc/redacted_capabilities.hpp"

#include "bmc/bmc.hpp"
#include "bmc/each_capability.hpp"
#include "json/describe.hpp"
#include "json/value.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using bmc::Lane;

namespace {

constexpr auto password = "s3cret";

// Sets every text of a described struct, however deep.
struct EveryText {
  struct Option {
    Option required() { return {}; }
    Option always() { return {}; }
  };
  template <class Struct>
  struct Fields {
    Struct& of;
    template <class Member>
    Option field(std::string_view, Member Struct::* member) {
      EveryText::set(of.*member);
      return {};
    }
  };
  static void set(std::string& text) { text = password; }
  template <class Member>
  static void set(std::vector<Member>& all) {
    set(all.emplace_back());
  }
  template <class Member>
  static void set(std::optional<Member>& one) {
    set(one.emplace());
  }
  template <class Member>
  static void set(Member& member) {
    if constexpr (std::is_class_v<Member>) {
      Fields<Member> fields{member};
      Member::describe(fields);
    }
  }
};

// Repeats the password in all that it says, and in why it does nothing.
class Indiscreet final : public bmc::PowerControl,
                         public bmc::IdentitySource,
                         public bmc::HealthSource,
                         public bmc::InventorySource,
                         public bmc::SensorSource,
                         public bmc::LogSource,
                         public bmc::BootControl,
                         public bmc::MediaControl,
                         public bmc::EventSource,
                         public bmc::ErasureControl,
                         public bmc::CleaningControl {
 public:
  bool fails = false;

  base::Task<bmc::PowerReading> readPower(Lane) override {
    return say(bmc::PowerReading{.raw = password, .bootProgress = password});
  }
  base::Task<void> checkOffers(Lane, bmc::PowerAction) override { return act(); }
  base::Task<void> requestPower(Lane, bmc::PowerAction, bmc::WritePermit) override { return act(); }
  base::Task<bmc::Identity> identify(Lane) override {
    return say(bmc::Identity{.vendor = "dell",
                             .manufacturer = password,
                             .model = password,
                             .serialNumber = password,
                             .systemUuid = password,
                             .bmcFirmware = password});
  }
  base::Task<bmc::HealthReading> readHealth(Lane) override { return say(bmc::HealthReading{}); }
  base::Task<bmc::Inventory> readInventory(Lane) override {
    bmc::Inventory all;
    EveryText::set(all);
    return say(std::move(all));
  }
  base::Task<bmc::SensorReading> readSensors(Lane) override {
    return say(bmc::SensorReading{
        .sensors = {.readings = {{.name = password, .kind = "fan", .unit = "RPM", .value = 1, .context = password}},
                    .parts = {{.path = password, .kind = "fan", .name = password, .state = password}},
                    .unread = {password}}});
  }
  base::Task<bmc::LogReading> readLogs(Lane, bmc::LogMarks) override {
    bmc::LogEntry entry{.id = password, .created = "", .severity = password, .message = password};
    return say(bmc::LogReading{.tails = {{.log = password, .mark = "1", .entries = std::vector{entry}}},
                               .unread = {password}});
  }
  base::Task<bmc::BootLasts> setBoot(Lane, bmc::BootSetting, bmc::WritePermit) override {
    return say(bmc::BootLasts::once);
  }
  base::Task<void> insertMedia(Lane, std::string, bmc::WritePermit) override { return act(); }
  base::Task<void> ejectMedia(Lane, bmc::WritePermit) override { return act(); }
  base::Task<std::string> insertedMedia(Lane) override { return say<std::string>("http://x/y.iso"); }
  base::Task<base::Duration> followEvents(Lane, bmc::OnEvent) override { return say(base::Duration{}); }
  base::Task<std::vector<bmc::ErasableDrive>> readDrives(Lane) override { return say(std::vector{drive_}); }
  base::Task<std::optional<bmc::ErasableDrive>> readDrive(Lane, std::string) override {
    return say(std::optional(drive_));
  }
  base::Task<std::string> eraseDrive(Lane, bmc::ErasableDrive, bmc::EraseMethod, bmc::WritePermit) override {
    return say<std::string>("/tasks/1");
  }
  base::Task<bmc::ErasureProgress> lookAtErasure(Lane, std::string) override {
    return say(bmc::ErasureProgress{.error = password});
  }
  base::Task<std::string> cleanUp(Lane, bmc::CleaningStep, bmc::WritePermit) override {
    return say<std::string>(password);
  }

 private:
  template <class Said>
  base::Task<Said> say(Said what) {
    co_await act();
    co_return what;
  }
  base::Task<void> act() {
    if (fails)
      throw bmc::Error(bmc::Error::Code::refused, fmt::format("no, {}", password), bmc::Error::Origin::governor);
    co_return;
  }

  const bmc::ErasableDrive drive_{.path = "/drives/1",
                                  .name = password,
                                  .vendor = password,
                                  .model = password,
                                  .serialNumber = password,
                                  .kind = password,
                                  .unfit = password,
                                  .trouble = password};
};

struct Bench : tests::Loop {
  std::shared_ptr<Indiscreet> says = std::make_shared<Indiscreet>();
  bmc::Driver driver = bmc::redacted({{.power = says,
                                       .identity = says,
                                       .health = says,
                                       .inventory = says,
                                       .sensors = says,
                                       .logs = says,
                                       .boot = says,
                                       .media = says,
                                       .events = says,
                                       .erasure = says,
                                       .cleaning = says},
                                      nullptr},
                                     base::Secret(password));
};

struct Asked {
  std::string_view what;
  std::function<base::Task<void>(bmc::Driver&)> ask;
};

template <class Said>
base::Task<void> ended(base::Task<Said> task) {
  static_cast<void>(co_await std::move(task));
}
template <>
base::Task<void> ended(base::Task<void> task) {
  co_await std::move(task);
}

constexpr auto lane = Lane::polling;
const Asked everything[] = {
    {"readPower", [](auto& host) { return ended(host.power->readPower(lane)); }},
    {"checkOffers", [](auto& host) { return ended(host.power->checkOffers(lane, bmc::PowerAction::on)); }},
    {"requestPower", [](auto& host) { return ended(host.power->requestPower(lane, bmc::PowerAction::on, {})); }},
    {"identify", [](auto& host) { return ended(host.identity->identify(lane)); }},
    {"readHealth", [](auto& host) { return ended(host.health->readHealth(lane)); }},
    {"readInventory", [](auto& host) { return ended(host.inventory->readInventory(lane)); }},
    {"readSensors", [](auto& host) { return ended(host.sensors->readSensors(lane)); }},
    {"readLogs", [](auto& host) { return ended(host.logs->readLogs(lane, {})); }},
    {"setBoot", [](auto& host) { return ended(host.boot->setBoot(lane, {}, {})); }},
    {"insertMedia", [](auto& host) { return ended(host.media->insertMedia(lane, "", {})); }},
    {"ejectMedia", [](auto& host) { return ended(host.media->ejectMedia(lane, {})); }},
    {"insertedMedia", [](auto& host) { return ended(host.media->insertedMedia(lane)); }},
    {"followEvents", [](auto& host) { return ended(host.events->followEvents(lane, {})); }},
    {"readDrives", [](auto& host) { return ended(host.erasure->readDrives(lane)); }},
    {"readDrive", [](auto& host) { return ended(host.erasure->readDrive(lane, "")); }},
    {"eraseDrive", [](auto& host) { return ended(host.erasure->eraseDrive(lane, {}, bmc::EraseMethod::block, {})); }},
    {"lookAtErasure", [](auto& host) { return ended(host.erasure->lookAtErasure(lane, "")); }},
    {"cleanUp", [](auto& host) { return ended(host.cleaning->cleanUp(lane, bmc::CleaningStep::clearLogs, {})); }},
};

}  // namespace

TEST_CASE("whatever a BMC is asked, why it does not do it is told without the password") {
  Bench bench;
  bench.says->fails = true;
  for (const auto& [what, ask] : everything) {
    INFO(what);
    try {
      bench.run(ask(bench.driver));
      FAIL("it did not fail");
    } catch (const bmc::Error& error) {
      CHECK(std::string(error.what()) == "no, ***");
      CHECK(error.code() == bmc::Error::Code::refused);
      CHECK(error.origin() == bmc::Error::Origin::governor);
    }
  }
}

TEST_CASE("no text of a reading holds the password") {
  Bench bench;
  const auto power = bench.run(bench.driver.power->readPower(lane));
  CHECK(power.raw == "***");
  CHECK(power.bootProgress == "***");
  const auto identity = bench.run(bench.driver.identity->identify(lane));
  CHECK(identity == bmc::Identity{"dell", "***", "***", "***", "***", "***"});
  const auto inventory = json::serializeSorted(json::encode(bench.run(bench.driver.inventory->readInventory(lane))));
  CHECK(inventory.find(password) == std::string::npos);
  CHECK(inventory.find("***") != std::string::npos);
  const auto sensors = json::serializeSorted(json::encode(bench.run(bench.driver.sensors->readSensors(lane)).sensors));
  CHECK(sensors.find(password) == std::string::npos);
  const auto logs = bench.run(bench.driver.logs->readLogs(lane, {}));
  CHECK(logs.unread.front() == "***");
  CHECK(logs.tails.front().log == "***");
  CHECK(logs.tails.front().entries->front() ==
        bmc::LogEntry{.id = "***", .created = "", .severity = "***", .message = "***"});
  for (const auto& drive : {bench.run(bench.driver.erasure->readDrives(lane)).front(),
                            *bench.run(bench.driver.erasure->readDrive(lane, ""))}) {
    for (const auto* text :
         {&drive.name, &drive.vendor, &drive.model, &drive.serialNumber, &drive.kind, &drive.unfit, &drive.trouble})
      CHECK(*text == "***");
    CHECK(drive.path == "/drives/1");
  }
  CHECK(bench.run(bench.driver.erasure->lookAtErasure(lane, "")).error == "***");
  CHECK(bench.run(bench.driver.cleaning->cleanUp(lane, bmc::CleaningStep::clearLogs, {})) == "***");
}

TEST_CASE("what is not there is not there without the password either") {
  const auto none = bmc::redacted({{}, nullptr}, base::Secret(password));
  for (const auto capability : bmc::everyCapability) CHECK_FALSE(none.has(capability));
}
