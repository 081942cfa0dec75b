#include "bmc/redfish/message_registry.hpp"

#include "base/cut_text.hpp"
#include "base/sync.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t longestText = 1024, longestId = 256, mostKnown = 1000;  // of a message, and how many

constexpr base::Duration patience = std::chrono::seconds(10);  // an error without words is better than a late one

struct Location {
  std::string language, uri;
  static void describe(auto& v) {
    v.field("Language", &Location::language);
    v.field("Uri", &Location::uri);
  }
};

struct RegistryFile {
  std::vector<Location> locations;
  static void describe(auto& v) { v.field("Location", &RegistryFile::locations); }
};

struct Message {
  std::string message;
  static void describe(auto& v) { v.field("Message", &Message::message); }
};

struct Registry {
  std::map<std::string, Message> messages;
  static void describe(auto& v) { v.field("Messages", &Registry::messages); }
};

std::string_view lastSegment(std::string_view text, char separator) { return text.substr(text.rfind(separator) + 1); }

// "/redfish/v1/Registries/Base.1.8.1", or only "…/Base", for messages of Base.1.8.
bool holds(std::string_view filePath, std::string_view registry) {
  const auto file = lastSegment(filePath, '/');
  const auto name = registry.substr(0, registry.find('.'));
  return file == name || (file.starts_with(name) && file.substr(name.size()).starts_with('.'));
}

std::string englishUri(const RegistryFile& file) {
  for (const Location& location : file.locations)
    if (location.language.starts_with("en")) return location.uri;
  return file.locations.empty() ? "" : file.locations.front().uri;
}

}  // namespace

std::string_view registryOf(std::string_view messageId) {
  const auto dot = messageId.rfind('.');
  return dot == std::string_view::npos ? "" : messageId.substr(0, dot);
}

std::string substituted(std::string_view text, const std::vector<std::string>& args, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < text.size() && out.size() < most; ++i) {
    const bool placeholder = text[i] == '%' && i + 1 < text.size() && text[i + 1] >= '1' && text[i + 1] <= '9';
    const std::size_t number = placeholder ? static_cast<std::size_t>(text[i + 1] - '1') : args.size();
    if (number < args.size()) {
      out += args[number];
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

base::Task<std::string> MessageRegistry::textOf(Lane lane, ErrorBody body) {
  if (!body.unresolved || registryOf(body.unresolved->id).empty() || body.unresolved->id.size() > longestId)
    co_return body.detail;
  const std::string id = body.unresolved->id;
  if (!known_.contains(id)) {
    std::string found;
    try {
      found = co_await base::withTimeout(clock_, patience, "the BMC's message registry is slow", lookUp(lane, id));
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error&) {  // the identifier has to do
    }
    if (known_.size() >= mostKnown) known_.clear();
    known_[id] = base::cutText(found, longestText);
  }
  const std::string& text = known_[id];
  co_return text.empty() ? body.detail : printable(substituted(text, body.unresolved->args, longestText));
}

base::Task<std::string> MessageRegistry::lookUp(Lane lane, std::string id) {
  const auto root = co_await connection_.root(lane);
  if (!root.registries || !root.registries->id) co_return "";
  const auto files = co_await connection_.get<Collection>(lane, *root.registries->id);
  for (const Link& file : files.members) {
    if (!file.id || !holds(*file.id, registryOf(id))) continue;
    co_return co_await findIn(lane, *file.id, std::string(lastSegment(id, '.')));
  }
  co_return "";
}

base::Task<std::string> MessageRegistry::findIn(Lane lane, std::string filePath, std::string key) {
  const std::string uri = englishUri(co_await connection_.get<RegistryFile>(lane, std::move(filePath)));
  if (!uri.starts_with('/')) co_return "";  // somewhere on the internet
  auto registry = co_await connection_.get<Registry>(lane, uri);
  co_return std::move(registry.messages[key].message);
}

}  // namespace ingot::bmc::redfish
