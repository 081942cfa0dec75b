#include "bmc/redfish/message_registry.hpp"

#include "base/cut_text.hpp"
#include "base/sync.hpp"
#include "bmc/redfish/connection.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t longestText = 1024, longestId = 256, mostKnown = 1000;  // of a message, and how many

constexpr base::Duration patience = std::chrono::seconds(10);  // an error without words is better than a late one
constexpr base::Duration quietFor = std::chrono::minutes(5);   // after a registry could not be read

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
  if (!body.unresolved) co_return body.detail;
  co_return co_await wordsOf(lane, std::move(*body.unresolved));
}

base::Task<std::string> MessageRegistry::wordsOf(Lane lane, UnresolvedMessage message) {
  co_await learn(lane, {message.id});
  const auto found = known_.find(message.id);
  if (found == known_.end() || found->second.empty()) co_return printable(connection_.redacted(shown(message)));
  co_return printable(connection_.redacted(substituted(found->second, message.args, longestText)));
}

base::Task<void> MessageRegistry::learn(Lane lane, std::set<std::string> ids) {
  std::erase_if(ids, [this](const std::string& id) {
    return registryOf(id).empty() || id.size() > longestId || known_.contains(id);
  });
  if (ids.empty() || clock_.now() < quietUntil_) co_return;
  if (known_.size() + ids.size() > mostKnown) known_.clear();  // not in the middle: all of these are wanted next
  try {
    co_await base::withTimeout(clock_, patience, "the BMC's message registry is slow", lookUp(lane, ids));
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error&) {  // the identifiers have to do
    quietUntil_ = clock_.now() + quietFor;
    co_return;
  }
  for (const auto& id : ids)
    if (!known_.contains(id)) note(id, "");
}

void MessageRegistry::note(const std::string& id, const std::string& text) {
  known_[id] = base::cutText(connection_.redacted(text), longestText);
}

base::Task<void> MessageRegistry::lookUp(Lane lane, std::set<std::string> ids) {
  const auto root = co_await connection_.root(lane);
  if (!root.registries || !root.registries->id) co_return;
  const auto files = co_await connection_.get<Collection>(lane, *root.registries->id);
  for (const Link& file : files.members) {
    std::set<std::string> inIt;
    std::ranges::copy_if(ids, std::inserter(inIt, inIt.end()),
                         [&](const std::string& id) { return file.id && holds(*file.id, registryOf(id)); });
    for (const auto& id : inIt) ids.erase(id);  // the first of several is taken
    if (!inIt.empty()) co_await readFile(lane, *file.id, std::move(inIt));
  }
}

base::Task<void> MessageRegistry::readFile(Lane lane, std::string filePath, std::set<std::string> ids) {
  const std::string uri = englishUri(co_await connection_.get<RegistryFile>(lane, std::move(filePath)));
  if (!uri.starts_with('/')) co_return;  // somewhere on the internet
  const auto registry = co_await connection_.get<Registry>(lane, uri);
  for (const auto& id : ids) {
    const auto found = registry.messages.find(std::string(lastSegment(id, '.')));
    if (found != registry.messages.end()) note(id, found->second.message);
  }
}

}  // namespace ingot::bmc::redfish
