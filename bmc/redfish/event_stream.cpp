#include "bmc/redfish/event_stream.hpp"

#include "json/value.hpp"

#include <algorithm>
#include <utility>

namespace ingot::bmc::redfish {

namespace {

const json::Array* recordsIn(const json::Object& document) {
  for (const auto* name : {"Events", "Alerts"})
    if (const auto* found = document.if_contains(name); found != nullptr && found->is_array())
      return &found->get_array();
  return nullptr;
}

bool isHeartbeat(const json::Value& record) {
  return json::textAt(record, {"MessageId"}).find("HeartbeatEvent") != std::string::npos;
}

}  // namespace

std::vector<std::string> EventStream::take(std::string_view bytes) {
  std::vector<std::string> events;
  for (const char c : bytes) {
    const bool isSecondOfTwo = std::exchange(sawReturn_, c == '\r') && c == '\n';
    if (isSecondOfTwo) continue;
    if (c == '\r' || c == '\n') {
      endLine(events);
    } else if (line_.size() < mostData) {
      line_ += c;
    } else {
      isTooLong_ = true;
    }
  }
  return events;
}

void EventStream::endLine(std::vector<std::string>& events) {
  const std::string line = std::exchange(line_, {});
  if (line.empty()) {
    if (hasData_) events.push_back(isTooLong_ ? std::string() : data_);
    data_ = {};  // and its memory
    hasData_ = isTooLong_ = false;
    return;
  }
  constexpr std::string_view field = "data:";
  if (!line.starts_with(field)) return;
  std::string_view value = std::string_view(line).substr(field.size());
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (data_.size() + value.size() >= mostData) isTooLong_ = true;
  if (!isTooLong_) data_.append(hasData_ ? "\n" : "").append(value);
  hasData_ = true;
}

EventKind kindOfEvent(const std::string& data) {
  json::Value document;
  try {
    document = json::parse(data);
  } catch (const json::ParseError&) {
    return EventKind::change;
  }
  if (!document.is_object()) return EventKind::change;
  if (json::textAt(document, {"@odata.type"}).find("MetricReport") != std::string::npos ||
      document.get_object().contains("MetricValues"))
    return EventKind::telemetry;
  const auto* records = recordsIn(document.get_object());
  if (records == nullptr) return EventKind::change;
  return std::ranges::all_of(*records, isHeartbeat) ? EventKind::sign : EventKind::change;
}

}  // namespace ingot::bmc::redfish
