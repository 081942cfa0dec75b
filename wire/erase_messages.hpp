// Erasing the drives of a host, as coordinator and agents speak of it (docs/decisions/0022). Part of messages.hpp.
#pragma once

#include "bmc/model/erasure.hpp"
#include "json/describe.hpp"
#include "wire/token.hpp"

#include <map>
#include <string>
#include <vector>

namespace ingot::wire {

// coordinator → agent: erase the drives of this host. Needs the right to act. The same job again: how far it is; one
// that has ended is not begun anew unless it has failed. Only to agents that said that they can.
struct EraseRequest {
  std::string host;
  Token token;              // above that of every command before it
  std::string job;          // names this erasure; the same after a restart of either side
  bool resumeOnly = false;  // nothing more is to be begun: only what is under way is followed, and how it ended told
  std::string machineSerial;
  std::string depth;                          // bmc::toText(EraseDepth)
  std::map<std::string, std::string> depths;  // … by serial number of the drive
  std::vector<std::string> known;             // serial numbers of the drives that the host is to have
  std::vector<std::string> steps;             // bmc::toText(CleaningStep): when all is erased
  std::int64_t confirms = 0;  // id of the EraseConfirm that this answers; -1: of none, and those are answered

  static void describe(auto& v) {
    v.field("host", &EraseRequest::host).required();
    v.field("token", &EraseRequest::token).required();
    v.field("job", &EraseRequest::job).required();
    v.field("resumeOnly", &EraseRequest::resumeOnly);
    v.field("machineSerial", &EraseRequest::machineSerial);
    v.field("depth", &EraseRequest::depth).required();
    v.field("depths", &EraseRequest::depths);
    v.field("known", &EraseRequest::known);
    v.field("steps", &EraseRequest::steps);
    v.field("confirms", &EraseRequest::confirms);
  }
};

// agent → coordinator: how far it is. Sent when it is asked for, when something has changed, and at the end.
struct EraseReport {
  std::string host;
  Token token;  // of the last request for it
  std::string job;
  std::string outcome;    // running | done | failed | refused; idle: to resumeOnly, it has not ended, and nothing of
                          // it is under way
  std::string errorCode;  // bmc::toText(Error::Code), or stale-token, no-lease, busy, journal, internal
  std::string error;      // for people
  std::string manufacturer, model, serialNumber, systemUuid;  // of the machine
  std::string bmcFirmware;
  std::vector<bmc::DriveErasure> drives;
  std::vector<bmc::StepRecord> steps;

  static void describe(auto& v) {
    v.field("host", &EraseReport::host).required();
    v.field("token", &EraseReport::token).required();
    v.field("job", &EraseReport::job).required();
    v.field("outcome", &EraseReport::outcome).required();
    v.field("errorCode", &EraseReport::errorCode);
    v.field("error", &EraseReport::error);
    v.field("manufacturer", &EraseReport::manufacturer);
    v.field("model", &EraseReport::model);
    v.field("serialNumber", &EraseReport::serialNumber);
    v.field("systemUuid", &EraseReport::systemUuid);
    v.field("bmcFirmware", &EraseReport::bmcFirmware);
    v.field("drives", &EraseReport::drives);
    v.field("steps", &EraseReport::steps);
  }
};

// agent → coordinator: is this still to be done? Asked before each drive that is begun; the answer is the request
// again, or nothing.
struct EraseConfirm {
  std::string host;
  Token token;  // of the last request for it
  std::string job;
  std::int64_t id = 0;

  static void describe(auto& v) {
    v.field("host", &EraseConfirm::host).required();
    v.field("token", &EraseConfirm::token).required();
    v.field("job", &EraseConfirm::job).required();
    v.field("id", &EraseConfirm::id).required();
  }
};

inline constexpr std::string_view eraseCapability = "erase";  // of Hello.capabilities

}  // namespace ingot::wire
