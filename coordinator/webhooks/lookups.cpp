#include "coordinator/webhooks/lookups.hpp"

#include "base/yield.hpp"
#include "kube/core/error.hpp"

#include <algorithm>

namespace ingot::coordinator::webhooks {
namespace {

constexpr int kItemsATurn = 50;  // before others have a turn

bool mentions(const json::Value& value, std::string_view name) {
  if (value.is_string()) return std::string_view(value.get_string()) == name;
  if (value.is_array())
    return std::ranges::any_of(value.get_array(), [&](const json::Value& item) { return mentions(item, name); });
  if (value.is_object())
    return std::ranges::any_of(value.get_object(), [&](const auto& member) { return mentions(member.value(), name); });
  return false;
}

}  // namespace

void Lookups::eachMentioning(const kube::KindInfo& kind, const std::string& name,
                             const std::optional<std::string>& namespace_, const Visit& visit) const {
  const Lookup lookup{.group = std::string(kind.group),
                      .version = std::string(kind.version),
                      .kind = std::string(kind.kind),
                      .plural = std::string(kind.plural),
                      .name = name,
                      .namespace_ = namespace_.value_or("")};
  const auto known = known_.find(lookup);
  if (known == known_.end())
    missing_.insert(lookup);
  else
    std::ranges::for_each(known->second, visit);
}

void Lookups::show(const Lookup& lookup, std::vector<json::Value> objects) {
  missing_.erase(lookup);
  known_[lookup] = std::move(objects);
}

// Of all objects only those that mention the name are kept: no more pages are held than there are turns.
base::Task<std::vector<json::Value>> fetch(kube::Api& api, Lookup lookup, LookupTurns::Review& review) {
  const kube::Resource resource{
      .group = lookup.group, .version = lookup.version, .kind = lookup.kind, .plural = lookup.plural};
  std::vector<json::Value> found;
  std::string next;
  do {
    LookupTurns::Turn turn(review);
    co_await turn.come();
    kube::Page page;
    try {
      page = co_await api.listPage(resource, {.namespace_ = lookup.namespace_}, next);
    } catch (const kube::Error& problem) {
      if (problem.code() != kube::Error::Code::notFound) throw;
      co_return std::vector<json::Value>();
    }
    int looked = 0;
    for (const json::Value& item : page.items) {
      if (mentions(item, lookup.name)) found.emplace_back(item, boost::json::storage_ptr());  // not its whole page
      if (++looked % kItemsATurn == 0) co_await base::yieldToLoop();
    }
    next = page.next;
  } while (!next.empty());
  co_return found;
}

}  // namespace ingot::coordinator::webhooks
