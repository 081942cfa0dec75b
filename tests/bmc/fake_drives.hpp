// Drives of a FakeRedfish that its BMC erases.
#pragma once

#include "tests/bmc/fake_redfish.hpp"

namespace ingot::tests {

struct FakeDrive {
  std::string serial;
  std::vector<std::string> types{"CryptographicErase", "BlockErase"};
  std::string more = {};                        // further members of its document
  std::deque<net::HttpResponse> refusals = {};  // answers to what is posted, in order, instead of obeying
  int looks = 2;                                // at the task, or at the drive without one, until it is over
  std::string end = "Completed";                // TaskState then
  std::string words = "words of the task";
  bool forgets = false;          // the task is not found then
  bool hasTasks = true;          // else 204, and the drive tells
  bool isOperationShown = true;  // while it is erased
  int notFoundFor = 0;           // looks, at task or drive: its BMC has restarted
  // what became of it
  std::vector<std::string> erasures = {};  // bodies
  int looksLeft = 0;                       // > 0: it is being erased
};

class FakeDrives {
 public:
  explicit FakeDrives(FakeRedfish& bmc) : bmc_(bmc) {
    bmc_.moreOfSystem += R"(,"UUID":"4c4c4544-0001","Storage":{"@odata.id":"/s"})";
    bmc_.instead = [this](const net::ServerRequest& request) { return answer(request); };
    bmc_.onReset = [this, others = std::move(bmc_.onReset)] {
      lostPower = lostPower || isErasing();
      if (others) others();
    };
    bmc_.onSwitched = [this] { lostPower = lostPower || isErasing(); };
  }

  FakeDrive& add(const std::string& serial) { return drives.emplace_back(FakeDrive{.serial = serial}); }
  [[nodiscard]] bool isErasing() const {
    return std::ranges::any_of(drives, [](const auto& drive) { return drive.looksLeft > 0; });
  }
  [[nodiscard]] bool areErasedOnce() const {
    return std::ranges::all_of(drives, [](const auto& drive) { return drive.erasures.size() == 1; });
  }
  // Each takes so many looks until it is erased.
  void take(int looks) {
    for (auto& drive : drives) drive.looks = looks;
  }
  [[nodiscard]] std::size_t erasures() const {
    std::size_t count = 0;
    for (const auto& drive : drives) count += drive.erasures.size();
    return count;
  }

  std::deque<FakeDrive> drives;
  bool needPower = false;  // they are not there while the host is off
  bool askedWhileBusy = false;
  bool secondController = false;  // which also shows drive 0
  bool lostPower = false;         // a reset came in the middle of an erasure
  std::function<std::optional<net::HttpResponse>(const net::ServerRequest&)> instead;  // answered before, when set

 private:
  static net::HttpResponse reply(int status, std::string body) {
    return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
  }

  std::optional<net::HttpResponse> answer(const net::ServerRequest& request) {
    if (instead)
      if (auto other = instead(request)) return other;
    const std::string path(request.path());
    if (path == "/s")
      return reply(200, secondController ? R"({"Members":[{"@odata.id":"/s/1"},{"@odata.id":"/s/2"}]})"
                                         : R"({"Members":[{"@odata.id":"/s/1"}]})");
    const auto half = secondController ? drives.size() / 2 : drives.size();
    if (path == "/s/1") return reply(200, listed(0, half));
    if (path == "/s/2") return reply(200, listed(half, drives.size(), true));
    if (path.starts_with("/d/")) return ofDrive(path.substr(3), request);
    if (path.starts_with("/redfish/v1/TaskService/Tasks/")) return task(std::stoul(path.substr(path.rfind('/') + 1)));
    return std::nullopt;
  }

  [[nodiscard]] static std::string listed(std::size_t from, std::size_t to, bool withFirst = false) {
    std::string links = withFirst ? R"({"@odata.id":"/d/0"})" : "";
    for (auto i = from; i < to; ++i) links += fmt::format(R"({}{{"@odata.id":"/d/{}"}})", links.empty() ? "" : ",", i);
    return fmt::format(R"({{"Drives":[{}]}})", links);
  }

  net::HttpResponse ofDrive(const std::string& rest, const net::ServerRequest& request) {
    const auto index = std::stoul(rest);
    if (index >= drives.size()) return reply(404, "");
    auto& drive = drives[index];
    if (request.method == "POST") return erase(index, request.body);
    if (drive.notFoundFor > 0) return --drive.notFoundFor, reply(404, "");
    if (drive.looksLeft > 0) --drive.looksLeft;
    return reply(200, document(index));
  }

  [[nodiscard]] std::string document(std::size_t index) const {
    const auto& drive = drives[index];
    std::string types;
    for (const auto& type : drive.types) types += fmt::format(R"({}"{}")", types.empty() ? "" : ",", type);
    const bool isThere = !needPower || bmc_.powerState == "On";
    const bool isShown = drive.isOperationShown && drive.looksLeft > 0;
    return fmt::format(
        R"({{"Id":"Disk.{0}","Model":"m","Manufacturer":"v","SerialNumber":"{1}","CapacityBytes":{2},)"
        R"("MediaType":"SSD","Protocol":"NVMe","Status":{{"State":"{3}","Health":"OK"}},"Operations":[{4}],)"
        R"("Actions":{{"#Drive.SecureErase":{{"target":"/d/{0}/erase",)"
        R"("SanitizationType@Redfish.AllowableValues":[{5}]}}}}{6}}})",
        index, drive.serial, isThere ? "960197124096" : "null", isThere ? "Enabled" : "Absent",
        isShown ? R"({"OperationName":"Sanitize","PercentageComplete":50})" : "", types, drive.more);
  }

  net::HttpResponse erase(std::size_t index, const std::string& body) {
    auto& drive = drives[index];
    if (!drive.refusals.empty()) {
      auto refusal = drive.refusals.front();
      drive.refusals.pop_front();
      return refusal;
    }
    if (drive.looksLeft > 0) {
      askedWhileBusy = true;
      return reply(409, R"({"error":{"message":"it is being erased"}})");
    }
    drive.erasures.push_back(body);
    drive.looksLeft = drive.looks;
    if (!drive.hasTasks) return reply(204, "");
    auto accepted = reply(202, "");
    accepted.headers.add("Location", fmt::format("https://bmc.example/redfish/v1/TaskService/Tasks/{}", index));
    return accepted;
  }

  net::HttpResponse task(std::size_t index) {
    auto& drive = drives.at(index);
    if (drive.notFoundFor > 0) return --drive.notFoundFor, reply(404, "");
    if (drive.looksLeft > 0 && --drive.looksLeft > 0)
      return reply(200, R"({"@odata.type":"#Task.v1_4_3.Task","TaskState":"Running","PercentComplete":40})");
    if (drive.forgets) return reply(404, "");
    return reply(200, fmt::format(R"({{"@odata.type":"#Task.v1_4_3.Task","TaskState":"{}","TaskStatus":"OK",)"
                                  R"("Messages":[{{"Message":"{}"}}]}})",
                                  drive.end, drive.words));
  }

  FakeRedfish& bmc_;
};

}  // namespace ingot::tests
