#include "bmc/redfish/clean_up.hpp"

#include "bmc/redfish/boot_setter.hpp"
#include "bmc/redfish/walker.hpp"

#include <fmt/ranges.h>

namespace ingot::bmc::redfish {

namespace {

constexpr base::Duration clearedWithin = std::chrono::seconds(60), lookEach = std::chrono::seconds(5);
constexpr std::int64_t mostAfterwards = 1;  // some log that they were cleared

struct ClearableLog {
  struct Action {
    Fact<std::string> target;
    static void describe(auto& v) { v.field("target", &Action::target); }
  };
  struct Actions {
    Fact<Action> clear;
    static void describe(auto& v) { v.field("#LogService.ClearLog", &Actions::clear); }
  };
  Fact<Actions> actions;
  static void describe(auto& v) { v.field("Actions", &ClearableLog::actions); }
};

// A manager or a chassis, by how many systems it serves.
struct LogSharers {
  struct Links {
    std::vector<Link> servers, systems;
    static void describe(auto& v) {
      v.field("ManagerForServers", &Links::servers);
      v.field("ComputerSystems", &Links::systems);
    }
  };
  Fact<Links> links;
  static void describe(auto& v) { v.field("Links", &LogSharers::links); }
};

struct BootOptionResource {
  Fact<std::string> reference, name, devicePath;
  static void describe(auto& v) {
    v.field("BootOptionReference", &BootOptionResource::reference);
    v.field("DisplayName", &BootOptionResource::name);
    v.field("UefiDevicePath", &BootOptionResource::devicePath);
  }
};

struct BootOrderHolder {
  struct Boot {
    std::vector<std::string> order;
    Fact<Link> options;
    static void describe(auto& v) {
      v.field("BootOrder", &Boot::order);
      v.field("BootOptions", &Boot::options);
    }
  };
  Fact<Boot> boot;
  static void describe(auto& v) { v.field("Boot", &BootOrderHolder::boot); }
};

Error::Code codeOfRefusal(const Refusal& refusal) {
  const auto status = refusal.status;
  if (status == 404 || status == 405 || status == 501) return Error::Code::unsupported;
  const bool passes = status == 409 || status == 429 || status >= 500 || refusal.body.saysNotNow() ||
                      refusal.body.has("UnableToModifyDuringSystemPOST");
  return passes ? Error::Code::busy : Error::Code::refused;
}

// What a BMC does not show now it may show later.
void requireAll(const std::vector<std::string>& unread) {
  if (!unread.empty()) throw Error(Error::Code::busy, unread.front());
}

}  // namespace

base::Task<Error> CleanUp::refusal(std::string path, Refusal refusal) {
  co_return Error(codeOfRefusal(refusal), fmt::format("{}: HTTP {}: {}", path, refusal.status,
                                                      co_await connection_.messages().textOf(lane_, refusal.body)));
}

base::Task<std::string> CleanUp::take(CleaningStep step) {
  switch (step) {
    case CleaningStep::clearLogs: return clearLogs();
    case CleaningStep::closeSessions: return closeSessions();
    case CleaningStep::resetBootOrder: break;
  }
  return resetBootOrder();
}

base::Task<std::string> CleanUp::clearLogs() {
  LogReader reader(connection_, lane_);
  std::vector<std::string> cleared;
  const auto places = co_await reader.find(systemPath_);
  requireAll(reader.unread());
  for (const auto& place : places)
    if (co_await isOfThisHostAlone(place) && co_await clearLog(place)) cleared.push_back(place.log);
  if (cleared.empty()) throw Error(Error::Code::unsupported, "the BMC has no log of the hardware that can be cleared");
  co_return fmt::format("cleared {}", fmt::join(cleared, ", "));
}

// A chassis of several machines keeps what happened to each of them in one log.
base::Task<bool> CleanUp::isOfThisHostAlone(LogPlace place) {
  const auto end = place.log.find("/LogServices");
  const auto holder = place.log.substr(0, end);
  if (withoutSlash(holder) == withoutSlash(systemPath_)) co_return true;
  if (end == std::string::npos) co_return false;
  const auto links = (co_await connection_.get<LogSharers>(lane_, holder)).links;
  co_return links && links->servers.size() + links->systems.size() == 1;
}

base::Task<bool> CleanUp::clearLog(LogPlace place) {
  const auto service = co_await connection_.get<ClearableLog>(lane_, place.log);
  const bool isOffered = service.actions && service.actions->clear && service.actions->clear->target;
  if (!isOffered) co_return false;
  const auto target = *service.actions->clear->target;
  const auto written = co_await connection_.post(lane_, target, "{}", permit_);
  if (written.refused) throw co_await refusal(target, *written.refused);
  co_await untilCleared(std::move(place));
  co_return true;
}

base::Task<void> CleanUp::untilCleared(LogPlace place) {
  const auto deadline = clock_.now() + clearedWithin;
  while (true) {
    const auto entries = co_await connection_.get<LogEntries>(lane_, place.entries);
    const auto left = entries.count.value_or(static_cast<std::int64_t>(entries.members.size()));
    if (left <= mostAfterwards) co_return;
    if (clock_.now() >= deadline)
      throw Error(Error::Code::notReached,
                  fmt::format("{} took its clearing and shows {} entries still", place.log, left));
    co_await clock_.sleepFor(lookEach);
  }
}

base::Task<std::string> CleanUp::closeSessions() {
  const int closed = co_await connection_.closeOtherSessions(lane_, permit_);
  co_return fmt::format("sessions closed: {}", closed);
}

base::Task<std::vector<BootOption>> CleanUp::bootOptions(std::string collection) {
  Walker walker(connection_, lane_);
  std::vector<BootOption> options;
  for (const auto& path : co_await walker.memberPaths(Link{std::move(collection)})) {
    const auto read = co_await walker.read<BootOptionResource>(path);
    if (!read) continue;
    const auto& option = read->resource;
    options.push_back({.path = path,
                       .reference = option.reference.value_or(""),
                       .name = option.name.value_or(""),
                       .devicePath = option.devicePath.value_or(""),
                       .takesDelete = read->takesDelete});
  }
  requireAll(walker.unread());
  co_return options;
}

base::Task<std::string> CleanUp::resetBootOrder() {
  const auto system = co_await connection_.get<BootOrderHolder>(lane_, systemPath_);
  const bool isShown = system.boot && system.boot->options && system.boot->options->id;
  if (!isShown || system.boot->order.empty())
    throw Error(Error::Code::unsupported, systemPath_ + " shows no boot order with options");
  const auto plan = planBootOrder(system.boot->order, co_await bootOptions(*system.boot->options->id));
  for (const auto& option : plan.remove) {
    const auto written = co_await connection_.remove(lane_, option.path, permit_);
    if (written.refused && written.refused->status != 404) throw co_await refusal(option.path, *written.refused);
  }
  if (plan.changesOrder) co_await setBootOrder(plan.order);
  if (!plan.remove.empty()) co_await requireGone(plan.remove, *system.boot->options->id);
  std::vector<std::string> names;
  names.reserve(plan.remove.size());
  for (const auto& option : plan.remove) names.push_back(option.name.empty() ? option.reference : option.name);
  const auto removed = names.empty() ? std::string("no entry was removed")
                                     : fmt::format("removed the entries {}", fmt::join(names, ", "));
  co_return plan.changesOrder ? removed + "; those that cannot be removed are the last now" : removed;
}

base::Task<void> CleanUp::requireGone(std::vector<BootOption> removed, std::string collection) {
  for (const auto& option : co_await bootOptions(std::move(collection)))
    if (std::ranges::find(removed, option.reference, &BootOption::reference) != removed.end())
      throw Error(Error::Code::notReached, option.path + " was removed, and is shown still");
}

base::Task<void> CleanUp::setBootOrder(std::vector<std::string> order) {
  BootSetter setter(clock_, connection_, lane_, systemPath_, {});
  co_await setter.setOrder(std::move(order), permit_);
}

}  // namespace ingot::bmc::redfish
