#include "cli/show/rows.hpp"

#include "cli/decide/approval.hpp"
#include "cli/decide/host_facts.hpp"
#include "cli/words/duration.hpp"
#include "cli/words/power.hpp"

namespace ingot::cli {
namespace {

std::string onOff(bool on) { return on ? "on" : "off"; }

std::string troubleOf(const api::BareMetalHost& host) {
  const std::string mark = unhealthyMarkOf(host).empty() ? "" : "marked unhealthy";
  const std::string& error = host.status.errorType;
  return error.empty() || mark.empty() ? error + mark : error + ", " + mark;
}

}  // namespace

std::string yesNo(bool yes) { return yes ? "true" : "false"; }

void append(Row& row, Row more) { std::ranges::move(more, std::back_inserter(row)); }

Row hostHeads(RowStyle style) {
  Row heads;
  if (style.withNamespace) heads.emplace_back("NAMESPACE");
  append(heads, {"NAME", "STATE", "STATUS", "POWER", "CONSUMER", "ERROR", "AGE"});
  if (style.wide) append(heads, {"BMC", "MAC", "IMAGE", "ID"});
  return heads;
}

Row hostRow(const api::BareMetalHost& host, RowStyle style, base::WallTime now) {
  Row row;
  if (style.withNamespace) row.push_back(host.metadata.namespace_);
  append(row, {host.metadata.name, host.status.provisioning.state, host.status.operationalStatus, powerWord(host, now),
               host.spec.consumerRef ? host.spec.consumerRef->name : "", troubleOf(host),
               ageText(host.metadata.creationTimestamp, now)});
  if (style.wide)
    append(row, {host.spec.bmc.address, host.spec.bootMACAddress, host.status.provisioning.image.url,
                 host.status.provisioning.ID});
  return row;
}

Row agentHeads(RowStyle style) {
  Row heads{"NAME", "APPROVED", "CONNECTED", "HOSTS", "VERSION", "FINGERPRINT", "AGE"};
  if (style.wide) append(heads, {"SERVES", "DRAIN", "LAG"});
  return heads;
}

Row agentRow(const api::ProvisioningAgent& agent, RowStyle style, base::WallTime now) {
  Row row{agent.metadata.name,
          yesNo(agent.spec.approved),
          yesNo(agent.status.connected),
          std::to_string(agent.status.hosts),
          agent.status.version,
          agent.status.fingerprint,
          ageText(agent.metadata.creationTimestamp, now)};
  if (style.wide)
    append(row, {scopeText(agent.spec), yesNo(agent.spec.drain), fmt::format("{}ms", agent.status.lagMilliseconds)});
  return row;
}

Row powerHeads() { return {"NAME", "POWER", "WANTED", "STATE"}; }

Row powerRow(const api::BareMetalHost& host, base::WallTime now) {
  const PowerKnowledge power = powerOf(host);
  const bool settled = power.state == PowerKnowledge::State::on || power.state == PowerKnowledge::State::off;
  return {host.metadata.name, settled ? onOff(power.lastOn) : powerWord(host, now), onOff(host.spec.online),
          host.status.provisioning.state};
}

json::Object powerDocument(const api::BareMetalHost& host) {
  const PowerKnowledge power = powerOf(host);
  json::Object out{{"name", host.metadata.name}, {"wanted", onOff(host.spec.online)}};
  switch (power.state) {
    case PowerKnowledge::State::never: out["power"] = nullptr; break;
    case PowerKnowledge::State::unknown:
      out["power"] = "unknown";
      if (power.since) out["unknownSince"] = base::formatTime(*power.since);
      break;
    case PowerKnowledge::State::on:
    case PowerKnowledge::State::off: out["power"] = onOff(power.lastOn); break;
  }
  return out;
}

}  // namespace ingot::cli
