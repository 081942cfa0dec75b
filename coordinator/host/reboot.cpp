#include "coordinator/host/reboot.hpp"

#include "api/bmh/names.hpp"

namespace ingot::coordinator::host {
namespace {

struct Request {
  bool hard = false, force = false, readable = true;
};

// Members of the right type count even when others are wrong (spec/baremetalhost.md §17 item 11).
Request parse(const std::string& value) {
  Request request;
  if (value.empty()) return request;
  boost::system::error_code failed;
  const boost::json::value document = boost::json::parse(value, failed);
  if (failed || !document.is_object()) return {.readable = false};

  const auto& object = document.get_object();
  if (const auto* mode = object.if_contains("mode")) {
    const auto* word = mode->if_string();
    request.hard = word != nullptr && *word == "hard";
    request.readable = word != nullptr && (*word == "hard" || *word == "soft" || word->empty());
  }
  if (const auto* force = object.if_contains("force")) {
    if (force->is_bool())
      request.force = force->get_bool();
    else
      request.readable = false;
  }
  return request;
}

bool isReboot(std::string_view name) {
  return name == api::annotation::reboot || name.starts_with(api::annotation::rebootPrefix);
}

}  // namespace

RebootRequest rebootRequested(const Annotations& annotations, bool forcedOnly) {
  RebootRequest all;
  for (const auto& [name, value] : annotations) {
    if (!isReboot(name)) continue;
    const Request one = parse(value);
    if (!one.readable) all.unreadable.push_back(name);
    if (forcedOnly && !one.force) continue;
    all.wanted = true;
    if (one.hard) all.mode = RebootMode::hard;
  }
  return all;
}

bool rebootForced(const Annotations& annotations) { return rebootRequested(annotations, true).wanted; }

}  // namespace ingot::coordinator::host
