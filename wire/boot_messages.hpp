// What a host boots from, as coordinator and agents speak of it. Part of messages.hpp.
#pragma once

#include "json/describe.hpp"
#include "wire/token.hpp"

#include <string>

namespace ingot::wire {

// coordinator → agent: make the host ready to boot so. Its power stays as it is. Needs the right to act; it may be
// repeated, so neither side writes it down. Only to agents that said that they can.
struct BootRequest {
  std::string host;
  Token token;            // above that of every command before it
  std::string image;      // URL of what the virtual CD drive is to hold; "": nothing
  bool mayStay = false;   // an image that is inserted already need not be inserted again
  bool whileOff = false;  // only for a host that is off
  std::string device;     // bmc::toText(BootDevice)
  bool persistent = false;
  std::string mode;  // bmc::toText(BootMode); "": as it is

  static void describe(auto& v) {
    v.field("host", &BootRequest::host).required();
    v.field("token", &BootRequest::token).required();
    v.field("image", &BootRequest::image);
    v.field("mayStay", &BootRequest::mayStay);
    v.field("whileOff", &BootRequest::whileOff);
    v.field("device", &BootRequest::device).required();
    v.field("persistent", &BootRequest::persistent);
    v.field("mode", &BootRequest::mode);
  }
};

// agent → coordinator: its answer.
struct BootResult {
  std::string host;
  Token token;
  std::string outcome;    // done | failed | refused
  std::string errorCode;  // bmc::toText(Error::Code), or stale-token, no-lease, busy, internal
  std::string error;      // for people
  bool lasts = false;     // it holds for every boot, not for one

  static void describe(auto& v) {
    v.field("host", &BootResult::host).required();
    v.field("token", &BootResult::token).required();
    v.field("outcome", &BootResult::outcome).required();
    v.field("errorCode", &BootResult::errorCode);
    v.field("error", &BootResult::error);
    v.field("lasts", &BootResult::lasts);
  }
};

inline constexpr std::string_view bootCapability = "boot";  // of Hello.capabilities

}  // namespace ingot::wire
