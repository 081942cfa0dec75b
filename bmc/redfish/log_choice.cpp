#include "bmc/redfish/log_choice.hpp"

#include "base/clock.hpp"
#include "base/text.hpp"
#include "bmc/model/power.hpp"

#include <charconv>
#include <ranges>

namespace ingot::bmc::redfish {

namespace {

// The most telling first.
constexpr std::string_view logIds[] = {"sel", "iml", "eventlog", "lclog", "log1", "standardlog", "platformlog"};

bool isReadable(const LogService& service) {
  return service.enabled.value_or(true) && service.entries && service.entries->id;
}

bool isSel(const LogService& service) { return service.entryType.value_or("") == "SEL"; }

std::optional<std::int64_t> numberOf(const LogEntryResource& entry) {
  const auto text = entry.id.value_or("");
  std::int64_t number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  return ec == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::vector<LogService> chooseLogs(std::vector<LogService> services) {
  std::erase_if(services, [](const LogService& service) { return !isReadable(service); });
  if (std::ranges::any_of(services, isSel)) {
    std::erase_if(services, [](const LogService& service) { return !isSel(service); });
    return services;
  }
  for (const auto id : logIds) {
    const auto found = std::ranges::find_if(
        services, [&](const LogService& service) { return base::lower(service.id.value_or("")) == id; });
    if (found != services.end()) return {*found};
  }
  return {};
}

std::string severityOf(const LogEntryResource& entry) {
  const auto word = base::lower(entry.severity.value_or(""));
  if (word == "ok" || word == "informational" || word == "info") return std::string(toText(Health::ok));
  if (word == "warning") return std::string(toText(Health::warning));
  if (word == "critical") return std::string(toText(Health::critical));
  return {};
}

std::string createdOf(const LogEntryResource& entry) {
  for (const auto* text : {&entry.created, &entry.eventTimestamp})
    if (const auto time = *text ? base::parseTime(**text) : std::nullopt) return base::formatTime(*time);
  return {};
}

std::optional<UnresolvedMessage> wordlessIn(const LogEntryResource& entry) {
  const bool hasWords = entry.message && !base::trimmed(*entry.message).empty();
  if (hasWords || !entry.messageId || entry.messageId->empty()) return std::nullopt;
  UnresolvedMessage message{.id = *entry.messageId, .args = {}};
  if (entry.messageArgs)
    for (const auto& arg : *entry.messageArgs | std::views::take(mostArgs)) message.args.push_back(arg.value_or(""));
  return message;
}

std::string messageOf(const LogEntryResource& entry) {
  if (const auto wordless = wordlessIn(entry)) return shown(*wordless);
  if (entry.message && !base::trimmed(*entry.message).empty()) return *entry.message;
  return std::string(base::trimmed(entry.sensorType.value_or("") + " " + entry.entryCode.value_or("")));
}

// Most neighbours decide: a clock that was set back once is one odd pair.
bool isNewestFirst(const std::vector<LogEntryResource>& entries) {
  const auto falls = [&](auto keyOf) {
    int balance = 0;
    for (std::size_t i = 1; i < entries.size(); ++i) {
      const auto one = keyOf(entries[i - 1]), next = keyOf(entries[i]);
      balance += next < one ? 1 : one < next ? -1 : 0;
    }
    return balance;
  };
  const bool areNumbered = std::ranges::all_of(entries, [](const auto& entry) { return numberOf(entry).has_value(); });
  return (areNumbered ? falls([](const auto& entry) { return *numberOf(entry); }) : falls(createdOf)) > 0;
}

}  // namespace ingot::bmc::redfish
