#include "bmc/redfish/error_body.hpp"

#include "base/cut_text.hpp"
#include "base/redaction.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <ranges>

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t longestDetail = 300;
constexpr std::size_t longestMention = 4096;  // bytes
constexpr std::size_t mostEntries = 48, longestMessageId = 256;

namespace js = boost::json;

std::string textAt(const js::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::string lastSegment(const std::string& messageId) {
  const auto dot = messageId.rfind('.');
  return dot == std::string::npos ? messageId : messageId.substr(dot + 1);
}

struct Entry {
  std::string message, severity, id;
  std::vector<std::string> args;
};

// Object, list of objects, list with strays in it: only the objects count.
std::vector<Entry> extendedInfo(const js::object& error, std::vector<std::string>& ids) {
  std::vector<Entry> entries;
  const auto take = [&](const js::value& value) {
    const auto* object = value.if_object();
    if (object == nullptr) return;
    auto severity = textAt(*object, "Severity");
    if (severity.empty()) severity = textAt(*object, "MessageSeverity");
    auto id = textAt(*object, "MessageId");
    if (id.empty()) id = textAt(*object, "MessageID");  // iLO 4
    if (id.size() > longestMessageId) id.clear();
    if (!id.empty()) ids.push_back(lastSegment(id));
    entries.push_back({textAt(*object, "Message"), severity, std::move(id), argsIn(*object)});
  };
  const auto* info = error.if_contains("@Message.ExtendedInfo");
  if (info == nullptr) return entries;
  if (const auto* list = info->if_array())
    for (const auto& value : *list | std::views::take(mostEntries)) take(value);
  else
    take(*info);
  return entries;
}

std::string firstOf(const std::vector<Entry>& entries, std::string_view severity) {
  const auto found = std::ranges::find_if(
      entries, [&](const Entry& entry) { return entry.severity == severity && !entry.message.empty(); });
  return found == entries.end() ? std::string() : found->message;
}

// Some say the reason as a mere information, beside a GeneralError that says that there is one.
std::string firstThatSaysMore(const std::vector<Entry>& entries) {
  const auto found = std::ranges::find_if(entries, [](const Entry& entry) {
    return !entry.message.empty() && !entry.id.empty() && lastSegment(entry.id) != "GeneralError";
  });
  return found == entries.end() ? std::string() : found->message;
}

// The most severe of the messages that have no text. GeneralError is left out, because it only says that something went
// wrong.
std::optional<UnresolvedMessage> unresolvedIn(const std::vector<Entry>& entries) {
  for (const std::string_view severity : {"Critical", "Warning", ""})
    for (const Entry& entry : entries)
      if (entry.severity == severity && entry.message.empty() && !entry.id.empty() &&
          lastSegment(entry.id) != "GeneralError")
        return UnresolvedMessage{entry.id, entry.args};
  return std::nullopt;
}

}  // namespace

std::vector<std::string> argsIn(const json::Object& message) {
  std::vector<std::string> args;
  const auto* list = message.if_contains("MessageArgs");
  if (list == nullptr || !list->is_array()) return args;
  for (const auto& arg : list->get_array()) {
    if (args.size() == mostArgs) break;
    args.push_back(arg.is_string() ? std::string(arg.get_string()) : js::serialize(arg));
  }
  return args;
}

std::string shown(const UnresolvedMessage& message) {
  std::string args;
  for (const std::string& arg : message.args) args += (args.empty() ? " (" : ", ") + arg;
  return message.id + args + (args.empty() ? "" : ")");
}

std::string printable(std::string text) { return base::oneLine(std::move(text), longestDetail); }

bool ErrorBody::mentions(std::string_view word) const { return mentioned.find(base::lower(word)) != std::string::npos; }

bool ErrorBody::saysNotNow() const { return has("SYS518") || has("InvalidOperationForSystemState"); }

bool ErrorBody::has(std::string_view messageId) const {
  return std::ranges::find(messageIds, messageId) != messageIds.end();
}

ErrorBody readErrorBody(std::string_view body, std::span<const base::Secret> secrets) {
  ErrorBody result{.detail = "unknown error"};
  boost::system::error_code ec;
  const auto parsed = js::parse(base::toUtf8(body), ec);  // a letter of another code hides no message
  if (ec || !parsed.is_object()) return result;
  const auto* errorValue = parsed.get_object().if_contains("error");
  const auto* error = errorValue != nullptr ? errorValue->if_object() : nullptr;
  if (error == nullptr) return result;

  // Only looked at, never shown.
  const auto whole = base::redacted(js::serialize(*errorValue), secrets);
  result.mentioned = base::lower(std::string_view(whole).substr(0, longestMention));
  const auto entries = extendedInfo(*error, result.messageIds);
  std::string words = firstOf(entries, "Critical");
  if (words.empty()) words = firstOf(entries, "Warning");
  if (words.empty()) result.unresolved = unresolvedIn(entries);
  if (result.unresolved) {
    for (std::string& arg : result.unresolved->args) arg = printable(base::redacted(std::move(arg), secrets));
    words = shown(*result.unresolved);
  }
  if (words.empty()) words = firstThatSaysMore(entries);
  if (words.empty()) words = textAt(*error, "message");
  if (!words.empty()) result.detail = printable(base::redacted(std::move(words), secrets));
  if (auto code = textAt(*error, "code"); !code.empty() && code.size() <= longestMessageId)
    result.messageIds.push_back(lastSegment(code));
  return result;
}

}  // namespace ingot::bmc::redfish
