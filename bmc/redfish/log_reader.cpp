#include "bmc/redfish/log_reader.hpp"

#include "base/cut_text.hpp"
#include "bmc/redfish/answers.hpp"
#include "bmc/redfish/log_choice.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t mostHolders = 8;  // managers and chassis of a system whose logs are looked for
constexpr std::size_t mostServices = 16;
constexpr std::size_t mostPages = 32;
constexpr std::size_t mostSingly = 16;  // entries that are read one by one
constexpr std::size_t longestMark = 256, longestWords = 1024, longestArg = 256;

std::string withQuery(const std::string& path, std::string_view query) {
  return fmt::format("{}{}{}", path, path.find('?') == std::string::npos ? '?' : '&', query);
}

bool isBare(const LogEntryResource& entry) { return !entry.message && !entry.created && !entry.messageId; }

// nullopt: nobody says how many there are.
std::optional<std::int64_t> countOf(const LogEntries& first) {
  if (first.count) return first.count;
  return first.nextLink ? std::nullopt : std::optional(static_cast<std::int64_t>(first.members.size()));
}

// The first entry moves when a newer one is put before it, the count when it is put behind; where the log is full and
// the oldest makes room, the first entry moves again.
std::string markOf(const LogEntries& first) {
  const auto head = first.members.empty() ? LogEntryResource{} : first.members.front();
  const auto& id = head.id ? head.id : head.odataId;
  return fmt::format("{}|{}|{}", countOf(first).value_or(-1), createdOf(head), id.value_or("")).substr(0, longestMark);
}

LogEntry entryOf(const LogEntryResource& entry) {
  return {.id = entry.id ? *entry.id : entry.odataId.value_or(""),
          .created = createdOf(entry),
          .severity = severityOf(entry),
          .message = isBare(entry) ? "(the BMC did not show this entry)" : messageOf(entry)};
}

// However little of it is told, many pages are held.
void shorten(LogEntryResource& entry, const Connection& connection) {
  const auto cut = [&](std::optional<std::string>& text, std::size_t limit) {
    if (text) text = base::cutText(connection.redacted(std::move(*text)), limit);
  };
  if (entry.odataId && !isTarget(*entry.odataId)) entry.odataId.reset();
  for (auto* text : {&entry.id, &entry.created, &entry.eventTimestamp, &entry.severity, &entry.message,
                     &entry.messageId, &entry.sensorType, &entry.entryCode})
    cut(*text, longestWords);
  if (!entry.messageArgs) return;
  if (entry.messageArgs->size() > mostArgs) entry.messageArgs->resize(mostArgs);
  for (auto& arg : *entry.messageArgs) cut(arg, longestArg);
}

LogEntries shortened(LogEntries page, const Connection& connection) {
  for (auto& entry : page.members) shorten(entry, connection);
  return page;
}

void keepLast(std::vector<LogEntryResource>& entries, std::size_t most) {
  if (entries.size() > most) entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(most));
}

}  // namespace

base::Task<std::vector<LogPlace>> LogReader::find(std::string systemPath) {
  const auto system = co_await walker_.get<LogHolder>(std::move(systemPath));
  if (!system) throw Error(Error::Code::protocol, walker_.unread().front());
  std::vector<std::string> others;
  if (system->links) {
    const auto& managers = system->links->managedBy.empty() ? system->links->managers : system->links->managedBy;
    walker_.take(managers, others);
    walker_.take(system->links->chassis, others);
  }
  if (others.size() > mostHolders) {
    walker_.note(fmt::format("{} managers and chassis: only {} were asked for logs", others.size(), mostHolders));
    others.resize(mostHolders);
  }
  std::vector<LogService> services;
  co_await addServices(*system, services);
  for (auto& path : others)
    if (const auto holder = co_await walker_.get<LogHolder>(std::move(path))) co_await addServices(*holder, services);
  std::vector<LogPlace> places;
  for (const auto& service : chooseLogs(std::move(services))) {
    const auto& own = service.odataId ? *service.odataId : *service.entries->id;
    if (const auto* odd = !isTarget(own) ? &own : !isTarget(*service.entries->id) ? &*service.entries->id : nullptr) {
      walker_.note(connection_.whyNoTarget(*odd));
      continue;
    }
    const auto isKnown = [&](const LogPlace& place) { return place.entries == *service.entries->id; };
    if (std::ranges::none_of(places, isKnown)) places.push_back({own, *service.entries->id});
  }
  co_return places;
}

base::Task<void> LogReader::addServices(LogHolder holder, std::vector<LogService>& into) {
  for (const auto& path : co_await walker_.memberPaths(holder.logServices)) {
    if (into.size() >= mostServices) co_return walker_.note(fmt::format("more than {} logs", mostServices));
    if (auto service = co_await walker_.get<LogService>(path)) into.push_back(std::move(*service));
  }
}

base::Task<std::optional<LogTail>> LogReader::read(LogPlace place, std::string mark) {
  LogTail tail{.log = place.log, .mark = {}, .entries = {}};
  if (!mark.empty() && co_await canSkip()) {
    const auto head = co_await walker_.get<LogEntries>(withQuery(place.entries, "$top=1"));
    if (head && head->count && markOf(*head) == mark) {
      tail.mark = std::move(mark);
      co_return tail;
    }
  }
  auto first = co_await walker_.get<LogEntries>(place.entries);
  if (!first) co_return std::nullopt;
  tail.mark = markOf(*first);
  if (tail.mark == mark && countOf(*first)) co_return tail;
  auto found = co_await latest(place.entries, shortened(std::move(*first), connection_));
  if (!found) co_return std::nullopt;
  tail.entries = co_await inWords(std::move(*found));
  co_return tail;
}

// Each registry is read once for all of them.
base::Task<std::vector<LogEntry>> LogReader::inWords(std::vector<LogEntryResource> found) {
  std::set<std::string> ids;
  for (const auto& entry : found)
    if (auto wordless = wordlessIn(entry)) ids.insert(std::move(wordless->id));
  co_await connection_.messages().learn(lane_, std::move(ids));
  std::vector<LogEntry> entries;
  for (const auto& resource : found) {
    entries.push_back(entryOf(resource));
    if (auto wordless = wordlessIn(resource))
      entries.back().message = co_await connection_.messages().wordsOf(lane_, std::move(*wordless));
  }
  co_return entries;
}

// Oldest first. nullopt: the end was not reached, and what was read before it would pass for the end.
base::Task<std::optional<std::vector<LogEntryResource>>> LogReader::latest(std::string path, LogEntries first) {
  const bool areLinks = !first.members.empty() && std::ranges::all_of(first.members, isBare);
  if (areLinks)  // which end is the latest is seen once an entry of each was read
    for (auto* entry : {&first.members.front(), &first.members.back()}) co_await fill(*entry);
  const bool newestFirst = isNewestFirst(first.members);
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(first.count.value_or(0), 0));
  auto page = std::move(first);
  auto entries = std::move(page.members);
  const auto isEnough = [&] { return newestFirst && entries.size() >= mostLogEntries; };
  if (page.nextLink && !newestFirst && count > mostLogEntries && co_await canSkip()) {
    auto last = co_await walker_.get<LogEntries>(withQuery(path, fmt::format("$skip={}", count - mostLogEntries)));
    if (last && !last->members.empty())
      page = shortened(std::move(*last), connection_), entries = std::move(page.members);
  }
  for (std::size_t pages = 1; page.nextLink && !isEnough(); ++pages) {
    if (pages == mostPages) {
      walker_.note(fmt::format("{} has more than {} pages: its end was not found", path, mostPages));
      co_return std::nullopt;
    }
    auto next = co_await walker_.get<LogEntries>(*page.nextLink);
    if (!next) co_return std::nullopt;
    page = shortened(std::move(*next), connection_);
    std::ranges::move(page.members, std::back_inserter(entries));
    if (!newestFirst) keepLast(entries, mostLogEntries);
  }
  if (newestFirst) {
    if (entries.size() > mostLogEntries) entries.resize(mostLogEntries);
    std::ranges::reverse(entries);
  }
  keepLast(entries, areLinks ? mostSingly : mostLogEntries);
  std::size_t left = mostSingly;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    if (isBare(*entry) && left > 0) --left, co_await fill(*entry);
  co_return entries;
}

// Reads what was shown as a link only.
base::Task<void> LogReader::fill(LogEntryResource& entry) {
  if (!isBare(entry) || !entry.odataId) co_return;
  if (auto found = co_await walker_.get<LogEntryResource>(*entry.odataId))
    shorten(entry = std::move(*found), connection_);
}

base::Task<bool> LogReader::canSkip() {
  const auto root = co_await connection_.root(lane_);
  co_return root.protocolFeatures&& root.protocolFeatures->topSkip.value_or(false);
}

}  // namespace ingot::bmc::redfish
