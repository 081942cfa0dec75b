#include "agent/agent_metrics.hpp"
#include "base/version.hpp"

namespace ingot::agent {

namespace {

constexpr std::string_view bmcs = "ingot_agent_bmcs",
                           bmcsHelp = "Hosts by what their BMC said last, ok or why it could not be read";

}  // namespace

AgentMetrics::AgentMetrics(base::Metrics& metrics, Agent& agent) : metrics_(metrics), agent_(agent) {
  metrics_.gauge("ingot_agent_info", "The version of this agent", {{"version", base::version}}).set(1);
  metrics_.beforeExpose([this] { collect(); });
  agent_.whenTold([this](const wire::Message& message) { count(message); });
}

AgentMetrics::~AgentMetrics() { agent_.whenTold({}); }

void AgentMetrics::collect() {
  const auto standing = agent_.standing();
  metrics_.gauge("ingot_agent_connected", "Whether the coordinator has answered").set(standing.connected ? 1 : 0);
  metrics_.gauge("ingot_agent_approved", "Whether the coordinator approves this agent").set(standing.approved ? 1 : 0);
  metrics_
      .gauge("ingot_agent_journal_writable", "Whether the disk takes the journal, without which no host is commanded")
      .set(standing.isJournalWritable ? 1 : 0);
  metrics_.gauge("ingot_agent_messages_waiting", "Messages that wait until the coordinator takes them")
      .set(static_cast<double>(standing.queued));
  metrics_.counter("ingot_agent_messages_dropped_total", "Messages given up, for too many of them waited")
      .add(static_cast<double>(standing.dropped - std::exchange(dropped_, standing.dropped)));
  metrics_.gauge("ingot_agent_hosts", "Hosts that this agent serves").set(static_cast<double>(standing.hosts.size()));
  std::map<std::string, double> byCode{{"ok", 0}};
  std::map<EventsState, double> streams;
  double acting = 0, erasing = 0, writing = 0;
  for (const auto& host : standing.hosts) {
    acting += host.mayAct ? 1 : 0;
    erasing += host.erases ? 1 : 0;
    writing += host.writes ? 1 : 0;
    ++streams[host.events];
    ++byCode[!host.trouble.empty() ? host.trouble : host.wasRead ? "ok" : "not-read-yet"];
  }
  metrics_.gauge("ingot_agent_hosts_acting", "Hosts that this agent may change now").set(acting);
  metrics_.gauge("ingot_agent_hosts_erasing", "Hosts whose drives are being erased").set(erasing);
  metrics_.gauge("ingot_agent_writes_in_flight", "Hosts with a request under way that changes their BMC").set(writing);
  for (const auto state : everyEventsState)
    metrics_
        .gauge("ingot_agent_event_streams", "Hosts by the stream of events of their BMC: open, or why not",
               {{"state", std::string(toText(state))}})
        .set(streams[state]);
  for (const auto& code : seen_)
    if (!byCode.contains(code)) byCode[code] = 0;
  for (const auto& [code, count] : byCode) {
    seen_.insert(code);
    metrics_.gauge(bmcs, bmcsHelp, {{"state", code}}).set(count);
  }
}

void AgentMetrics::count(const wire::Message& told) {
  const auto one = [this](std::string kind, const std::string& outcome) {
    metrics_
        .counter("ingot_agent_requests_total", "What the coordinator asked for, and how it ended",
                 {{"kind", std::move(kind)}, {"outcome", outcome}})
        .add();
  };
  if (const auto* command = std::get_if<wire::CommandResult>(&told)) {
    if (command->outcome != "running") one(command->action.empty() ? "power" : command->action, command->outcome);
  } else if (const auto* boot = std::get_if<wire::BootResult>(&told)) {
    one("boot", boot->outcome);
  } else if (const auto* erasure = std::get_if<wire::EraseReport>(&told)) {
    if (erasure->outcome != "running") one("erase", erasure->outcome);
  } else if (const auto* inventory = std::get_if<wire::InventoryResult>(&told)) {
    one("inventory", inventory->outcome);
  }
}

}  // namespace ingot::agent
