#include "bmc/redfish/walker.hpp"

#include "bmc/redfish/answers.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t mostPages = 100;
constexpr std::size_t mostUnread = 16;
constexpr std::size_t mostBytes = 8u << 20;  // of the pages of an expanded collection
constexpr std::string_view expandOnce = "?$expand=.($levels=1)";
// Of one reading, and in a walk. A resource that breaks every connection must not open the governor's circuit, as three
// silences in a row do.
constexpr int mostTriesOfOne = 2, mostRepeats = 6;

// Of a service that ignores $expand, members are bare links.
struct Expanded {
  std::vector<json::Value> members;
  Fact<std::string> nextLink;
  static void describe(auto& v) {
    v.field("Members", &Expanded::members);
    v.field("Members@odata.nextLink", &Expanded::nextLink);
  }
};

bool isBareLink(const json::Value& member) {
  const auto* object = member.if_object();
  return object == nullptr || (object->size() == 1 && object->contains("@odata.id"));
}

}  // namespace

bool concernsOneResource(const Error& error) {
  if (error.origin() == Error::Origin::governor) return false;
  switch (error.code()) {
    case Error::Code::busy:
    case Error::Code::unsupported:
    case Error::Code::refused:
    case Error::Code::protocol: return true;
    case Error::Code::unreachable:
    case Error::Code::timeout:
    case Error::Code::authenticationFailed:
    case Error::Code::lockedOut:
    case Error::Code::tls:
    case Error::Code::notPermitted:
    case Error::Code::outcomeUnknown:
    case Error::Code::notReached:
    case Error::Code::ambiguousSystem: break;
  }
  return false;
}

bool Walker::mayBeMissing(const Error& error) const {
  if (!concernsOneResource(error)) return false;
  const bool isAbsent = error.code() == Error::Code::unsupported || error.code() == Error::Code::refused;
  return missing_ == Missing::unreadable || isAbsent;
}

// Not of the first: nobody answers there, and whoever reads asks again by itself. Nor what the governor says.
bool Walker::mayBeRepeated(const Error& error, int attempt) {
  wasAnswered_ = wasAnswered_ || concernsOneResource(error);
  const bool isLost = error.code() == Error::Code::unreachable || error.code() == Error::Code::timeout;
  if (!isLost || error.origin() != Error::Origin::bmc || !wasAnswered_) return false;
  return attempt < mostTriesOfOne && ++repeated_ <= mostRepeats;
}

void Walker::take(const std::vector<Link>& links, std::vector<std::string>& into) {
  for (const auto& link : links) {
    if (!link.id || std::ranges::find(into, *link.id) != into.end()) continue;
    if (!isTarget(*link.id)) {
      note(connection_.whyNoTarget(*link.id));
      continue;
    }
    if (into.size() >= mostMembers)
      return note(fmt::format("more than {} members: the rest was not looked at", mostMembers));
    into.push_back(*link.id);
  }
}

base::Task<std::vector<std::string>> Walker::memberPaths(std::optional<Link> collection) {
  std::vector<std::string> pages, paths;
  if (collection) take({*collection}, pages);
  for (std::size_t i = 0; i < pages.size() && pages.size() <= mostPages; ++i) {
    const auto page = co_await get<Collection>(pages[i]);
    if (!page) break;
    take(page->members, paths);
    if (page->nextLink) take({Link{page->nextLink}}, pages);
  }
  co_return paths;
}

base::Task<std::vector<std::string>> Walker::memberPathsUpTo(std::optional<Link> collection, std::size_t most) {
  const auto name = collection ? collection->id.value_or("") : "";
  auto paths = co_await memberPaths(std::move(collection));
  if (paths.size() > most) {
    note(fmt::format("{} lists {} members: only {} were read", name, paths.size(), most));
    paths.resize(most);
  }
  co_return paths;
}

// A page that cannot be had so can be had otherwise: what was wrong is said of it then.
base::Task<std::optional<std::vector<json::Value>>> Walker::expanded(std::string collection) {
  const auto root = co_await connection_.root(lane_);
  const bool canExpand = root.protocolFeatures && root.protocolFeatures->expand &&
                         root.protocolFeatures->expand->levels && *root.protocolFeatures->expand->levels;
  if (!canExpand) co_return std::nullopt;
  std::vector<std::string> pages{collection + std::string(expandOnce)};
  std::vector<json::Value> found;
  std::size_t bytes = 0;
  try {
    for (std::size_t i = 0; i < pages.size() && pages.size() <= mostPages; ++i) {
      auto [page, asked, etag, takesPatch, takesDelete, size] = co_await ask<Expanded>(pages[i]);
      if (std::ranges::any_of(page.members, isBareLink)) co_return std::nullopt;
      bytes += size;
      if (bytes > mostBytes) {
        note(fmt::format("{} is too large: what comes after {} members was not looked at", collection, found.size()));
        break;
      }
      std::ranges::move(page.members, std::back_inserter(found));
      if (found.size() >= mostMembers) break;
      if (page.nextLink) take({Link{page.nextLink}}, pages);
    }
  } catch (const Error& error) {
    if (!mayBeMissing(error)) throw;
    co_return std::nullopt;
  }
  found.resize(std::min(found.size(), mostMembers));
  co_return found;
}

base::Task<void> Walker::tolerate(base::Task<void> part) {
  try {
    co_await std::move(part);
  } catch (const Error& error) {
    if (error.code() == Error::Code::notPermitted) throw;
    note(error.what());
  }
}

bool Walker::givesUpAt(const std::string& path) {
  if (!begun_ || connection_.now() - *begun_ < patience_) return false;
  note(fmt::format("{}: there was no time for it, and for what comes after it", path));
  return true;
}

void Walker::note(std::string why) {
  if (unread_.size() < mostUnread) unread_.push_back(std::move(why));
}

}  // namespace ingot::bmc::redfish
