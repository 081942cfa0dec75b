#include "bmc/redfish/walker.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t mostPages = 100;
constexpr std::size_t mostUnread = 16;
constexpr std::size_t longestPath = 1024;  // bytes

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

void Walker::take(const std::vector<Link>& links, std::vector<std::string>& into) {
  for (const auto& link : links) {
    if (!link.id || link.id->size() > longestPath || std::ranges::find(into, *link.id) != into.end()) continue;
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

void Walker::note(std::string why) {
  if (unread_.size() < mostUnread) unread_.push_back(std::move(why));
}

}  // namespace ingot::bmc::redfish
