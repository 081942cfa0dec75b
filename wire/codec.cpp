#include "wire/codec.hpp"

#include "base/utf8.hpp"

namespace ingot::wire {

namespace {

template <class T>
constexpr std::string_view nameOf{};
template <>
constexpr std::string_view nameOf<Hello> = "hello";
template <>
constexpr std::string_view nameOf<Facts> = "facts";
template <>
constexpr std::string_view nameOf<CommandResult> = "result";
template <>
constexpr std::string_view nameOf<Idle> = "idle";
template <>
constexpr std::string_view nameOf<Heartbeat> = "heartbeat";
template <>
constexpr std::string_view nameOf<InventoryResult> = "inventory";
template <>
constexpr std::string_view nameOf<InventoryRequest> = "inventory-request";
template <>
constexpr std::string_view nameOf<SensorFacts> = "sensors";
template <>
constexpr std::string_view nameOf<LogFacts> = "log";
template <>
constexpr std::string_view nameOf<HardwareFacts> = "hardware";
template <>
constexpr std::string_view nameOf<LogAcknowledge> = "log-acknowledge";
template <>
constexpr std::string_view nameOf<Welcome> = "welcome";
template <>
constexpr std::string_view nameOf<Grant> = "grant";
template <>
constexpr std::string_view nameOf<Renew> = "renew";
template <>
constexpr std::string_view nameOf<Revoke> = "revoke";
template <>
constexpr std::string_view nameOf<Command> = "command";
template <>
constexpr std::string_view nameOf<CommandQuery> = "command-query";
template <>
constexpr std::string_view nameOf<Acknowledge> = "acknowledge";
template <>
constexpr std::string_view nameOf<SnapshotRequest> = "snapshot-request";

template <>
constexpr std::string_view nameOf<BootRequest> = "boot-request";
template <>
constexpr std::string_view nameOf<BootResult> = "boot-result";

template <>
constexpr std::string_view nameOf<EraseRequest> = "erase-request";
template <>
constexpr std::string_view nameOf<EraseReport> = "erase-report";
template <>
constexpr std::string_view nameOf<EraseConfirm> = "erase-confirm";

template <>
constexpr std::string_view nameOf<StillFresh> = "still-fresh";
template <>
constexpr std::string_view nameOf<Piece> = "piece";
template <>
constexpr std::string_view nameOf<Credit> = "credit";

template <>
constexpr std::string_view nameOf<Leaving> = "leaving";

constexpr int envelopeVersion = 1;

template <class T>
bool readAs(std::string_view kind, const json::Value& body, std::optional<Message>& into) {
  if (kind != nameOf<T>) return false;
  into = json::decode<T>(body);
  return true;
}

template <class... T>
std::optional<Message> readAny(std::string_view kind, const json::Value& body, const std::variant<T...>*) {
  std::optional<Message> message;
  (readAs<T>(kind, body, message) || ...);
  return message;
}

}  // namespace

std::string_view kindOf(const Message& message) {
  return std::visit([]<class T>(const T&) { return nameOf<T>; }, message);
}

bool isPatient(const Message& message) {
  return std::holds_alternative<SensorFacts>(message) || std::holds_alternative<LogFacts>(message) ||
         std::holds_alternative<InventoryResult>(message) || std::holds_alternative<HardwareFacts>(message) ||
         std::holds_alternative<Piece>(message);
}

std::string encode(const Message& message, std::size_t limit) {
  json::Object envelope;
  envelope["v"] = envelopeVersion;
  envelope["kind"] = kindOf(message);
  envelope["body"] = std::visit([](const auto& body) { return json::encode(body); }, message);
  // A BMC may have said anything, and bytes that are no text would be refused whole at the other end.
  std::string bytes = base::toUtf8(json::serialize(std::move(envelope)));
  if (bytes.size() > limit)
    throw CodecError(fmt::format("{} of {} bytes; the limit is {}", kindOf(message), bytes.size(), limit));
  return bytes;
}

std::optional<Message> decode(std::string_view bytes, std::size_t limit) {
  if (bytes.size() > limit) throw CodecError(fmt::format("message of {} bytes; the limit is {}", bytes.size(), limit));
  try {
    const auto envelope = json::parse(bytes, {.bytes = limit, .depth = 16});
    const auto kind = json::stringAt(envelope, {"kind"});
    const auto* body = json::find(envelope, {"body"});
    if (!kind || body == nullptr || !body->is_object()) throw CodecError("message without kind and body");
    return readAny(*kind, *body, static_cast<const Message*>(nullptr));
  } catch (const json::DecodeError& error) {
    throw CodecError(fmt::format("message with a wrong member: {}", error.what()));
  } catch (const json::ParseError&) {
    throw CodecError("message that is not JSON");
  }
}

}  // namespace ingot::wire
