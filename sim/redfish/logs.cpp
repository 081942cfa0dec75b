#include "sim/redfish/call.hpp"

#include <charconv>

namespace ingot::sim::redfish::resources {

namespace {

constexpr std::string_view selPath = "/redfish/v1/Systems/1/LogServices/SEL";

json::Object entryOf(const LoggedEvent& event) {
  const auto id = std::to_string(event.id);
  auto body = resource(fmt::format("{}/Entries/{}", selPath, id), "LogEntry.v1_15_0.LogEntry", id, "Log Entry " + id);
  body["EntryType"] = "SEL";
  body["Created"] = base::formatTime(event.created);
  body["Severity"] = event.severity;
  body["Message"] = event.message;
  return body;
}

}  // namespace

Reply logServices(Call& call) {
  return ok(collection(call.path, "LogService", "Log Service Collection", {std::string(selPath)}));
}

Reply eventLog(Call& call) {
  auto body = resource(selPath, "LogService.v1_4_0.LogService", "SEL", "System Event Log");
  body["LogEntryType"] = "SEL";
  body["ServiceEnabled"] = true;
  body["OverWritePolicy"] = "WrapsWhenFull";
  body["MaxNumberOfRecords"] = EventLog::capacity;
  body["DateTime"] = base::formatTime(call.runtime.clock.wall());
  body["DateTimeLocalOffset"] = "+00:00";
  body["Status"] = healthy();
  body["Entries"] = link(fmt::format("{}/Entries", selPath));
  body["Actions"] = {{"#LogService.ClearLog", {{"target", fmt::format("{}/Actions/LogService.ClearLog", selPath)}}}};
  return ok(std::move(body));
}

// Each entry whole, as most BMCs show them.
Reply logEntries(Call& call) {
  auto body = collection(call.path, "LogEntry", "Log Entry Collection", {});
  json::Array members;
  for (const auto& event : call.machine.log.events()) members.push_back(entryOf(event));
  body["Members@odata.count"] = members.size();
  body["Members"] = std::move(members);
  return ok(std::move(body));
}

Reply logEntry(Call& call) {
  unsigned id = 0;
  const auto text = call.ids.at(0);
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), id);
  for (const auto& event : call.machine.log.events())
    if (ec == std::errc() && end == text.data() + text.size() && event.id == id) return ok(entryOf(event));
  return notFound(call.path);
}

Reply clearLog(Call& call) {
  call.action = "clear-log";
  call.machine.log.clear();
  return noContent();
}

}  // namespace ingot::sim::redfish::resources
