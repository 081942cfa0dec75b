// Everything that coordinator and agents say to each other (bodies of facts after spec/bmc.md §19.3).
// Ages instead of clock times wherever a decision hangs on them: the two clocks may differ.
#pragma once

#include "base/secret.hpp"
#include "bmc/model/sensors.hpp"
#include "json/describe.hpp"
#include "wire/boot_messages.hpp"
#include "wire/carrier_messages.hpp"
#include "wire/erase_messages.hpp"
#include "wire/hardware_messages.hpp"
#include "wire/log_messages.hpp"
#include "wire/token.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ingot::wire {

// The versions of this protocol that this build speaks. 2 adds carrier_messages.hpp.
constexpr int oldestVersion = 1, newestVersion = 2;

// The newest that both ends speak, of which the other speaks these; nullopt: there is none.
[[nodiscard]] constexpr std::optional<int> commonVersion(int oldest, int newest) {
  const int common = std::min(newest, newestVersion);
  return common >= std::max(oldest, oldestVersion) ? std::optional(common) : std::nullopt;
}

// A base::Secret that JSON carries as it is: only ever inside CURVE.
class WireSecret : public base::Secret {
 public:
  using base::Secret::Secret;
  WireSecret() = default;
  WireSecret(base::Secret value) : base::Secret(std::move(value)) {}
};

}  // namespace ingot::wire

template <>
struct ingot::json::Codec<ingot::wire::WireSecret> {
  static void decode(const Value& v, wire::WireSecret& out, Decoding& how) {
    std::string text;
    Codec<std::string>::decode(v, text, how);
    out = wire::WireSecret(std::move(text));
  }
  static Value encode(const wire::WireSecret& secret) { return Codec<std::string>::encode(secret.reveal()); }
  static bool empty(const wire::WireSecret& secret) { return secret.empty(); }
  static bool equal(const wire::WireSecret& a, const wire::WireSecret& b) { return a == b; }
  static void schema(Object& into) { into["type"] = "string"; }
};

namespace ingot::wire {

// --- agent → coordinator ---------------------------------------------------------------------------------------

// How a command ended. "unknown": the agent stopped in the middle; a fresh reading comes with it. "running": not ended
// yet; who has just come to lead learns so what is under way.
struct CommandResult {
  std::string host;  // metadata.uid
  Token token;
  std::string outcome;           // done | failed | refused | unknown | running
  std::string action;            // what was commanded; "" when that is not known any more
  std::string errorCode;         // bmc::toText(Error::Code), or stale-token, no-lease, not-received, not-asked, busy,
                                 // bmc-busy, journal
  std::string error;             // for people
  std::string power;             // On | Off | Unknown, read after the command
  std::int64_t powerAgeMs = -1;  // -1: nothing was read
  bool commandSent = false;
  std::int64_t askedAgoMs = -1;  // when the BMC was asked, where it may still follow; -1: it was not, or nobody knows

  static void describe(auto& v) {
    v.field("host", &CommandResult::host).required();
    v.field("token", &CommandResult::token).required();
    v.field("outcome", &CommandResult::outcome).required();
    v.field("action", &CommandResult::action);
    v.field("errorCode", &CommandResult::errorCode);
    v.field("error", &CommandResult::error);
    v.field("power", &CommandResult::power);
    v.field("powerAgeMs", &CommandResult::powerAgeMs).always();
    v.field("commandSent", &CommandResult::commandSent);
    v.field("askedAgoMs", &CommandResult::askedAgoMs).always();
  }
};

// First message of a connection, and again after every welcome that asks for it. Results that were never acknowledged
// follow it, one message each.
struct Hello {
  int version = oldestVersion;            // the oldest that the agent speaks …
  int newest = 0;                         // … and the newest; 0: that one alone
  std::string name;                       // the agent's own name; its identity is its key
  std::string software;                   // "0.1.0"
  std::string boot;                       // new at each start of the agent: sequences begin anew
  std::int64_t stampMs = 0;               // the agent's monotonic clock; echoed by grants and renewals (see Renew)
  std::vector<std::string> ended;         // earlier boots of it that are over, for sure: what they held, nobody holds
  std::int64_t term = 0;                  // the latest it has heard of: orders of earlier ones are refused
  std::vector<std::string> capabilities;  // beyond power and health: "inventory"

  static void describe(auto& v) {
    v.field("version", &Hello::version).always();
    v.field("newest", &Hello::newest);
    v.field("name", &Hello::name).required();
    v.field("software", &Hello::software);
    v.field("boot", &Hello::boot).required();
    v.field("stampMs", &Hello::stampMs).always();
    v.field("ended", &Hello::ended);
    v.field("term", &Hello::term);
    v.field("capabilities", &Hello::capabilities);
  }
};

// Something that the agent looks for beside the power, and does not get: why, and since when.
struct Unread {
  std::string what;          // sensors | logs | hardware
  std::string code;          // bmc::toText(Error::Code), or internal
  std::string error;         // for people
  std::int64_t sinceMs = 0;  // so long ago it began; of the facts
  static void describe(auto& v) {
    v.field("what", &Unread::what).required();
    v.field("code", &Unread::code);
    v.field("error", &Unread::error);
    v.field("sinceMs", &Unread::sinceMs);
  }
};

// What is known of one host now. Per host and boot the sequence rises by one; a gap asks for a snapshot. From version 2
// on it is sent when it says something new, and StillFresh until then.
struct Facts {
  std::string host;
  std::int64_t seq = 0;
  std::int64_t term = 0;  // learnt under this grant (that is, with its address and credentials)
  std::int64_t lease = 0;
  std::int64_t stampMs = 0;  // the agent's clock when this was said: tells how long it was on its way
  std::string power;         // On | Off | Unknown
  std::string rawPower;
  std::string bootProgress;  // Redfish's word ("OSRunning"); "" where the BMC does not tell, and while it is off
  std::int64_t powerAgeMs = -1;
  std::int64_t powerTookMs = 0;  // from when it was wanted to the BMC's answer: the next will not come sooner
  std::string health;            // OK | Warning | Critical | Unknown
  std::int64_t healthAgeMs = -1;
  std::string bmcErrorCode;  // "" while the BMC answers
  std::string bmcError;
  std::string vendor, model, serialNumber, bmcFirmware;
  std::vector<Unread> unread;

  static void describe(auto& v) {
    v.field("host", &Facts::host).required();
    v.field("seq", &Facts::seq).always();
    v.field("term", &Facts::term).always();
    v.field("lease", &Facts::lease).always();
    v.field("stampMs", &Facts::stampMs).always();
    v.field("power", &Facts::power);
    v.field("rawPower", &Facts::rawPower);
    v.field("bootProgress", &Facts::bootProgress);
    v.field("powerAgeMs", &Facts::powerAgeMs).always();
    v.field("powerTookMs", &Facts::powerTookMs);
    v.field("health", &Facts::health);
    v.field("healthAgeMs", &Facts::healthAgeMs).always();
    v.field("bmcErrorCode", &Facts::bmcErrorCode);
    v.field("bmcError", &Facts::bmcError);
    v.field("vendor", &Facts::vendor);
    v.field("model", &Facts::model);
    v.field("serialNumber", &Facts::serialNumber);
    v.field("bmcFirmware", &Facts::bmcFirmware);
    v.field("unread", &Facts::unread);
  }
};

// The agent has stopped acting on the host under this grant and will not act again (after revoke, or on its own).
struct Idle {
  std::string host;
  std::int64_t term = 0;
  std::int64_t lease = 0;
  // It held a valid right to act when this grant took it away. At most one agent can: its word settles what an earlier
  // coordinator may have granted.
  bool wasHolder = false;
  static void describe(auto& v) {
    v.field("host", &Idle::host).required();
    v.field("term", &Idle::term).always();
    v.field("lease", &Idle::lease).always();
    v.field("wasHolder", &Idle::wasHolder);
  }
};

struct Heartbeat {
  std::int64_t seq = 0;  // of the agent's boot, rising by one: after a gap, orders may be lost as well; 0: not counted
  std::int64_t stampMs = 0;
  std::int64_t hosts = 0;
  std::int64_t queued = 0;   // messages that wait for credit
  std::int64_t dropped = 0;  // … and that were given up since the agent started, for want of it
  std::int64_t spent = 0;    // bytes of credit, since the hello: messages may be lost that nobody has counted
  // The latest term the agent has heard of, and written down: rights of earlier terms have ended, for good …
  std::int64_t term = 0;
  // … and nothing is under way for them but on these hosts: a write, or a result that was not acknowledged.
  std::vector<std::string> acting;
  static void describe(auto& v) {
    v.field("seq", &Heartbeat::seq);
    v.field("stampMs", &Heartbeat::stampMs).always();
    v.field("hosts", &Heartbeat::hosts).always();
    v.field("queued", &Heartbeat::queued);
    v.field("dropped", &Heartbeat::dropped);
    v.field("spent", &Heartbeat::spent);
    v.field("term", &Heartbeat::term);
    v.field("acting", &Heartbeat::acting);
  }
};

// The agent stops. Of each host it says idle, without being asked, once no write is under way.
struct Leaving {
  static void describe(auto&) {}
};

// What the sensors of a host said. The next one counts alone: one that is lost is not repeated, and none waits for it.
struct SensorFacts {
  std::string host;
  std::int64_t term = 0;  // learnt under this grant
  std::int64_t lease = 0;
  std::int64_t ageMs = 0;
  std::int64_t nextInMs = 0;  // the agent reads them no sooner again; 0: an agent that does not tell
  bmc::Sensors sensors;
  static void describe(auto& v) {
    v.field("host", &SensorFacts::host).required();
    v.field("term", &SensorFacts::term).always();
    v.field("lease", &SensorFacts::lease).always();
    v.field("ageMs", &SensorFacts::ageMs).always();
    v.field("nextInMs", &SensorFacts::nextInMs);
    v.field("sensors", &SensorFacts::sensors);
  }
};

// --- coordinator → agent ---------------------------------------------------------------------------------------

struct Welcome {
  int version = oldestVersion;  // that is spoken from here on, or that the agent should speak and does not
  std::string state;            // approved | pending | refused
  std::string reason;
  std::int64_t term = 0;
  std::int64_t heartbeatMs = 2000;
  bool sayHello = false;    // the coordinator does not know this connection: start with a hello
  std::int64_t credit = 0;  // bytes, as of a Credit that echoes the hello; 0: none yet
  static void describe(auto& v) {
    v.field("version", &Welcome::version).always();
    v.field("state", &Welcome::state).required();
    v.field("reason", &Welcome::reason);
    v.field("term", &Welcome::term).always();
    v.field("heartbeatMs", &Welcome::heartbeatMs).always();
    v.field("sayHello", &Welcome::sayHello);
    v.field("credit", &Welcome::credit);
  }
};

// The right to act on one host until the lease runs out, and what is needed for it. Sent again when the Secret or the
// address changes. Only ever travels inside CURVE; never logged.
struct Grant {
  std::string host;         // metadata.uid
  std::string name;         // namespace/name, for people
  Token token;              // seq 0
  std::int64_t echoMs = 0;  // the agent's latest stamp: the lease ends ttlMs after it, on the agent's clock
  std::int64_t ttlMs = 15000;
  bool mayAct = true;  // false: read only (Ironic owns the host, or the agent is draining)
  std::string address;
  std::string username;
  WireSecret password;
  bool verifyCertificate =
      true;                // true also with a CA or pinned keys: an older agent, which ignores them, has to verify
  std::string ca;          // PEM, in place of the agent's own; "": that one
  std::string pinnedKeys;  // as net::ClientTls: the BMC has one of them, whatever its certificate
  bool legacyTls = false;  // from TLS 1.0 on
  std::int64_t powerPollMs = 5000;
  std::int64_t healthPollMs = 60000;
  std::int64_t sensorPollMs = 0;     // 0: sensors are not read
  std::int64_t logPollMs = 0;        // 0: logs are not read
  std::int64_t inventoryPollMs = 0;  // 0: the hardware is not read, but when it is asked for

  static void describe(auto& v) {
    v.field("host", &Grant::host).required();
    v.field("name", &Grant::name);
    v.field("token", &Grant::token).required();
    v.field("echoMs", &Grant::echoMs).always();
    v.field("ttlMs", &Grant::ttlMs).always();
    v.field("mayAct", &Grant::mayAct).always();
    v.field("address", &Grant::address).required();
    v.field("username", &Grant::username);
    v.field("password", &Grant::password);
    v.field("verifyCertificate", &Grant::verifyCertificate).always();
    v.field("ca", &Grant::ca);
    v.field("pinnedKeys", &Grant::pinnedKeys);
    v.field("legacyTls", &Grant::legacyTls);
    v.field("powerPollMs", &Grant::powerPollMs).always();
    v.field("healthPollMs", &Grant::healthPollMs).always();
    v.field("sensorPollMs", &Grant::sensorPollMs);
    v.field("logPollMs", &Grant::logPollMs);
    v.field("inventoryPollMs", &Grant::inventoryPollMs);
  }
};

struct RenewedLease {
  std::string host;
  std::int64_t lease = 0;
  static void describe(auto& v) {
    v.field("host", &RenewedLease::host).required();
    v.field("lease", &RenewedLease::lease).always();
  }
};

// Extends leases to `ttlMs` after the stamp that is echoed; those not named run out by themselves. Because the stamp
// was taken before this message was sent, a delayed renewal never lasts longer than its sender believes. At most
// mostRenewed leases a message.
constexpr std::size_t mostRenewed = 2000;

struct Renew {
  std::int64_t term = 0;
  std::int64_t echoMs = 0;
  std::int64_t ttlMs = 15000;
  std::vector<RenewedLease> leases;
  static void describe(auto& v) {
    v.field("term", &Renew::term).always();
    v.field("echoMs", &Renew::echoMs).always();
    v.field("ttlMs", &Renew::ttlMs).always();
    v.field("leases", &Renew::leases);
  }
};

// Stop acting; answer Idle once nothing is running. `forget`: the host is gone or served elsewhere: stop reading too
// and wipe its credentials.
struct Revoke {
  std::string host;
  std::int64_t term = 0;
  std::int64_t lease = 0;  // this grant and every earlier one
  bool forget = false;
  static void describe(auto& v) {
    v.field("host", &Revoke::host).required();
    v.field("term", &Revoke::term).always();
    v.field("lease", &Revoke::lease).always();
    v.field("forget", &Revoke::forget);
  }
};

struct Command {
  std::string host;
  Token token;
  std::string action;  // bmc::toText(PowerAction)
  static void describe(auto& v) {
    v.field("host", &Command::host).required();
    v.field("token", &Command::token).required();
    v.field("action", &Command::action).required();
  }
};

// Did this command arrive? Asked after a connection was lost on the way. The agent answers with its result, or with
// "refused"/"not-received" when it never saw it (and will then never obey it), or not at all while it carries it out.
struct CommandQuery {
  std::string host;
  Token token;
  static void describe(auto& v) {
    v.field("host", &CommandQuery::host).required();
    v.field("token", &CommandQuery::token).required();
  }
};

// The result has been recorded: the agent may drop it from its journal.
struct Acknowledge {
  std::string host;
  Token token;
  static void describe(auto& v) {
    v.field("host", &Acknowledge::host).required();
    v.field("token", &Acknowledge::token).required();
  }
};

// Send facts of this host (of every host when empty) now, whether or not they changed.
struct SnapshotRequest {
  std::string host;
  static void describe(auto& v) { v.field("host", &SnapshotRequest::host); }
};

using Message = std::variant<Hello, Facts, CommandResult, Idle, Heartbeat, InventoryResult, SensorFacts, LogFacts,
                             HardwareFacts, Welcome, Grant, Renew, Revoke, Command, CommandQuery, Acknowledge,
                             SnapshotRequest, InventoryRequest, LogAcknowledge, BootRequest, BootResult, Leaving,
                             EraseRequest, EraseReport, EraseConfirm, StillFresh, Piece, Credit>;

}  // namespace ingot::wire
