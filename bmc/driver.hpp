// One host's view of its BMC, whatever that speaks. A call is one or more exchanges, each in a turn of its own that the
// BMC's governor gives by the lane of the call: more urgent calls, of other hosts too, come in between.
#pragma once

#include "base/runtime.hpp"
#include "base/secret.hpp"
#include "base/subprocess.hpp"
#include "bmc/error.hpp"
#include "bmc/model/address.hpp"
#include "bmc/model/boot.hpp"
#include "bmc/model/cleaning_step.hpp"
#include "bmc/model/erasure.hpp"
#include "bmc/model/inventory.hpp"
#include "bmc/model/log.hpp"
#include "bmc/model/power.hpp"
#include "bmc/model/sensors.hpp"
#include "bmc/traffic.hpp"
#include "net/client.hpp"

#include <map>
#include <memory>
#include <string>

namespace ingot::bmc {

class EventInbox;

struct Login {
  std::string username;
  base::Secret password;
};

struct Target {
  Address address;
  Login login;
  bool verifyCertificate = true;
  std::string caFile;  // empty: the system's roots
  std::string caPem;   // in place of `caFile`
  // As net::ClientTls: a BMC that has one of these keys needs no CA.
  std::string pinnedKeys;
  bool legacyTls = false;
};

// What the BMC says of itself and of the machine; empty where it says nothing.
struct Identity {
  std::string vendor;  // normalised, lower case: "dell", "hpe", …; empty when unknown
  std::string manufacturer, model, serialNumber, systemUuid;
  std::string bmcFirmware;

  friend bool operator==(const Identity&, const Identity&) = default;
};

struct PowerReading {
  Power power = Power::unknown;
  std::string raw;                // the BMC's own word ("PoweringOn", "Chassis Power is on")
  std::string bootProgress = {};  // Redfish's word ("OSRunning"); "" where the same answer does not tell it
  std::optional<Health> health;   // where the same answer of the BMC tells it
  base::MonoTime asked{};         // when the BMC was asked: an answer that took long says nothing of the time since
};

struct HealthReading {
  Health health = Health::unknown;
  base::MonoTime asked{};  // as of PowerReading
};

struct SensorReading {
  Sensors sensors;
  // The worst of those parts that the BMC's own judgement of the host (readHealth) leaves out; unknown: there is none.
  Health raised = Health::unknown;
  base::MonoTime asked{};  // before the first of them
};

// By log: the mark of the tail that was read last.
using LogMarks = std::map<std::string, std::string>;

struct LogReading {
  std::vector<LogTail> tails;
  std::vector<std::string> unread;  // what the BMC has and did not show, and why
  base::MonoTime asked{};           // before the first of them
};

// How an erasure that the BMC has begun goes on.
struct ErasureProgress {
  enum class State {
    running,
    done,
    failed,
    forgotten,  // the BMC knows nothing of it any more: the drive tells
  };
  State state = State::running;
  int percent = -1;   // -1: not told
  std::string error;  // why it failed
  std::string task;   // "": the same; else what is to be looked at from now on
};

// What a BMC pushes tells when to read it, and nothing else.
enum class EventNews {
  opened,    // its stream stands: what happened before was not told
  happened,  // something has
};
// Called on the loop; does not block.
using OnEvent = std::function<void(EventNews news)>;

// Checked for each request that changes the host. What the first three throw (Error{notPermitted}) ends it unsent.
struct WritePermit {
  // Awaited when the request has its turn, before what follows: whatever is to be on a disk before it. May be empty.
  std::function<base::Task<void>()> record = {};
  std::function<base::Duration()> timeLimit;  // once all else is ready: how long the request may take. Empty: no limit
  // Last of all: from now on the request may reach the BMC. It may block, and then looks itself whether the request may
  // still be sent.
  std::function<void()> beforeSending;
  // The request is over: it has been answered, or will not be. Not when it is cancelled: then nobody knows. May be
  // empty.
  std::function<void()> afterwards = {};
};

// As much of a host's BMC as a power change takes.
class PowerDriver {
 public:
  virtual ~PowerDriver() = default;

  [[nodiscard]] virtual base::Task<PowerReading> readPower(Lane lane) = 0;

  // Throws Error{unsupported} when the BMC says beforehand that it knows no way to do this.
  [[nodiscard]] virtual base::Task<void> checkOffers(Lane lane, PowerAction action) = 0;

  // Returns when the BMC has accepted the command: that is not yet done (see changePower). A BMC that says it is
  // there already counts as acceptance. Error{unsupported} when it knows no way to do this; Error{outcomeUnknown} when
  // it was sent and not answered.
  [[nodiscard]] virtual base::Task<void> requestPower(Lane lane, PowerAction action, WritePermit permit) = 0;
};

class Driver : public PowerDriver {
 public:
  // Proves address, certificate and credentials. Throws Error.
  [[nodiscard]] virtual base::Task<Identity> identify(Lane lane) = 0;

  [[nodiscard]] virtual base::Task<HealthReading> readHealth(Lane lane) = 0;

  // Error{unsupported} where the protocol tells no inventory.
  [[nodiscard]] virtual base::Task<Inventory> readInventory(Lane lane) = 0;

  // What could not be read is named in it. Throws where nothing can be read.
  [[nodiscard]] virtual base::Task<SensorReading> readSensors(Lane lane) = 0;

  // The ends of the logs that tell of the hardware; of those that stand at their mark only that. What could not be read
  // is named in it. Without logs there are none, over IPMI Error{unsupported}.
  [[nodiscard]] virtual base::Task<LogReading> readLogs(Lane lane, LogMarks marks) = 0;

  // Calls `onEvent` whenever the BMC tells that something has happened, until the stream ends, which it does sooner or
  // later; how long it stood. Throws where it cannot be opened: Error{unsupported} where the BMC has none.
  [[nodiscard]] virtual base::Task<base::Duration> followEvents(Lane lane, OnEvent onEvent) = 0;

  // What the host boots from at its next power-on or, as the answer says, at each from then on. Error{unsupported} when
  // the BMC does not offer it. May be repeated.
  [[nodiscard]] virtual base::Task<BootLasts> setBoot(Lane lane, BootSetting setting, WritePermit permit) = 0;

  // The virtual CD drive of the BMC holds this image afterwards (an URL that the BMC can reach), as the BMC says
  // itself; what was in its drives before is not any more. Error{unsupported} without such a drive. May be repeated.
  [[nodiscard]] virtual base::Task<void> insertMedia(Lane lane, std::string image, WritePermit permit) = 0;
  // Empties the virtual CD drives; what is empty or is not there counts as done.
  [[nodiscard]] virtual base::Task<void> ejectMedia(Lane lane, WritePermit permit) = 0;
  // The image in the virtual CD drive, as the BMC says; "" for none.
  [[nodiscard]] virtual base::Task<std::string> insertedMedia(Lane lane) = 0;

  // The drives of the host, all of them: Error{busy} where one could not be read. Error{unsupported} over IPMI.
  [[nodiscard]] virtual base::Task<std::vector<ErasableDrive>> readDrives(Lane lane) = 0;
  // nullopt: no drive is there (any more).
  [[nodiscard]] virtual base::Task<std::optional<ErasableDrive>> readDrive(Lane lane, std::string path) = 0;
  // Begins to erase a drive that was read before. What is on it is lost. The task to look at; "": the BMC names none,
  // and is done or goes on by itself. Error{busy}: not now. Must not be repeated while the drive is busy.
  [[nodiscard]] virtual base::Task<std::string> eraseDrive(Lane lane, ErasableDrive drive, EraseMethod method,
                                                           WritePermit permit) = 0;
  [[nodiscard]] virtual base::Task<ErasureProgress> lookAtErasure(Lane lane, std::string task) = 0;

  // What was done, for people. Error{unsupported} where the BMC offers no way to. May be repeated.
  [[nodiscard]] virtual base::Task<std::string> cleanUp(Lane lane, CleaningStep step, WritePermit permit) = 0;

  // Lets go of the BMC; the last host that does logs out. Never throws; safe to call twice. Nothing may be asked
  // afterwards: Error{notPermitted}.
  [[nodiscard]] virtual base::Task<void> close() = 0;
};

// What drivers ride on, lent by main or a test.
struct Transports {
  net::HttpTransport& http;
  base::ProcessRunner& processes;
  std::string ipmitoolHome;          // its HOME (ipmi/home.hpp); "": none
  EventInbox* eventInbox = nullptr;  // where BMCs may push; nullptr: nowhere
};

}  // namespace ingot::bmc
