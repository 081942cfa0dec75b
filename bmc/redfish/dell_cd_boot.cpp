#include "bmc/redfish/dell_cd_boot.hpp"

#include "bmc/redfish/system_choice.hpp"
#include "bmc/redfish/task.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr int mostTries = 35;  // while another job runs, as Ironic does
constexpr base::Duration betweenTries = std::chrono::seconds(15);
constexpr base::Duration importWithin = std::chrono::minutes(5);
constexpr std::string_view jobRuns = "RAC0679", configurationIsPending = "LC068";

// Its name holds the version of a schema: "OemManager.v1_1_0#OemManager.ImportSystemConfiguration".
std::string importTarget(const json::Value& manager) {
  const auto* actions = json::objectAt(manager, {"Actions", "Oem"});
  if (actions == nullptr) return {};
  for (const auto& [name, action] : *actions)
    if (std::string_view(name).ends_with("#OemManager.ImportSystemConfiguration"))
      return json::textAt(action, {"target"});
  return {};
}

bool hasId(const std::vector<std::string>& ids, std::string_view id) { return std::ranges::find(ids, id) != ids.end(); }

}  // namespace

std::string cdBootProfile(std::string_view managerId) {
  std::string fqdd(managerId);
  std::erase_if(fqdd, [](char c) { return std::string_view("<>&\"'").find(c) != std::string_view::npos; });
  return fmt::format(R"(<SystemConfiguration><Component FQDD="{}"><Attribute Name="ServerBoot.1#BootOnce">Enabled)"
                     R"(</Attribute><Attribute Name="ServerBoot.1#FirstBootDevice">VCD-DVD</Attribute></Component>)"
                     R"(</SystemConfiguration>)",
                     fqdd);
}

base::Task<void> bootFromCdByImport(base::Clock& clock, Connection& connection, Lane lane, std::string systemPath,
                                    WritePermit permit) {
  const auto system = co_await connection.get<System>(lane, systemPath);
  const auto path = firstManager(system.links);
  if (path.empty()) throw Error(Error::Code::unsupported, systemPath + " names no manager");
  const auto manager = co_await connection.get<json::Value>(lane, path);
  const auto target = importTarget(manager);
  if (target.empty())
    throw Error(Error::Code::unsupported,
                path + " boots a virtual CD by an import of a server profile only, and offers none");
  const json::Object body{{"ShareParameters", {{"Target", "ALL"}}},
                          {"ImportBuffer", cdBootProfile(json::textAt(manager, {"Id"}))}};
  for (int attempt = 1;; ++attempt) {
    const auto written = co_await connection.post(lane, target, json::serialize(body), permit);
    TaskView end{.state = TaskState::done};
    if (written.refused) {
      end = {.state = TaskState::failed,
             .messageIds = written.refused->body.messageIds,
             .text = co_await connection.messages().textOf(lane, written.refused->body)};
    } else if (!written.task.empty()) {
      end = co_await followTask(clock, connection, lane, written.task, importWithin);
      end = co_await inWords(connection, lane, std::move(end));
    }
    if (end.state == TaskState::done) co_return;
    const bool passes = hasId(end.messageIds, jobRuns) && attempt < mostTries;
    if (!passes)
      throw Error(hasId(end.messageIds, jobRuns) || hasId(end.messageIds, configurationIsPending)
                      ? Error::Code::busy
                      : Error::Code::refused,
                  fmt::format("{}: the import that makes the host boot its virtual CD {}{}", path,
                              end.state == TaskState::failed ? "failed: " : "was not seen to end", end.text));
    co_await clock.sleepFor(betweenTries);
  }
}

}  // namespace ingot::bmc::redfish
