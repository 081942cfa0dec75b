// A host with drives that its BMC erases, and the record of it.
#pragma once

#include "bmc/drive_erasure.hpp"
#include "tests/bmc/fake_drives.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

inline net::HttpResponse eraseRefusal(int status, const std::string& words) {
  return {.status = status, .body = fmt::format(R"({{"error":{{"message":"{}"}}}})", words)};
}

struct EraseBench : RedfishBench {
  explicit EraseBench(std::vector<std::string> serials = {"A", "B"}) {
    order.machineSerial = "S1";
    for (const auto& serial : serials) {
      drives.add(serial);
      order.known.push_back(serial);
    }
  }
  ~EraseBench() { CHECK_FALSE(drives.askedWhileBusy); }
  void erase() {
    record.job = "1";
    run(bmc::eraseDrives({.clock = clock,
                          .identity = *driver->identity,
                          .drives = *driver->erasure,
                          .cleaning = *driver->cleaning,
                          .lane = bmc::Lane::reconcile,
                          .permit = permit,
                          .save = [this] { return save(); },
                          .progressed = [this] { ++percentages; },
                          .mayBegin = mayBegin,
                          .confirm = confirm},
                         order, record));
  }
  base::Task<void> save() {
    if (savingTakes > base::Duration{}) co_await clock.sleepFor(savingTakes);
    if (onSave) onSave();
    saved = record;
  }
  bmc::Error::Code eraseFailure() {
    return failureOf([this] { erase(); });
  }
  std::vector<std::string> states() const {
    std::vector<std::string> all;
    all.reserve(record.drives.size());
    for (const auto& drive : record.drives) all.push_back(drive.serialNumber + " " + drive.state);
    return all;
  }
  // The process before has asked drive "A" for it.
  void beginInTheMiddle() {
    record = {.job = "1",
              .drives = {{.path = "/d/0",
                          .serialNumber = "A",
                          .method = "CryptographicErase",
                          .state = "running",
                          .task = "/redfish/v1/TaskService/Tasks/0",
                          .asked = 1}}};
  }
  // Both processes end in the middle of it; what was saved is there.
  void restart() { record = saved; }

  FakeDrives drives{fake};
  bmc::EraseOrder order;
  bmc::ErasureRecord record, saved;
  bmc::WritePermit permit;
  std::function<void()> onSave;
  base::Duration savingTakes{};
  std::function<bool()> mayBegin;
  std::function<base::Task<bool>()> confirm;
  int percentages = 0;
};

}  // namespace ingot::tests
