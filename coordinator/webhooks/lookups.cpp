#include "coordinator/webhooks/lookups.hpp"

#include "base/yield.hpp"
#include "kube/core/error.hpp"

#include <algorithm>
#include <functional>

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

// Calls `visit` with each object, and `more` after each page that is not the last: true ends it there. No more pages
// are held than there are turns.
base::Task<void> eachObject(kube::Api& api, kube::Resource resource, std::string namespace_,
                            LookupTurns::Review& review, std::function<void(const json::Value&)> visit,
                            std::function<bool()> more) {
  std::string next;
  do {
    LookupTurns::Turn turn(review);
    co_await turn.come();
    kube::Page page;
    try {
      page = co_await api.listPage(resource, {.namespace_ = namespace_}, next);
    } catch (const kube::Error& problem) {
      if (problem.code() != kube::Error::Code::notFound) throw;
      co_return;
    }
    int looked = 0;
    for (const json::Value& item : page.items) {
      visit(item);
      if (++looked % kItemsATurn == 0) co_await base::yieldToLoop();
    }
    next = page.next;
  } while (!next.empty() && !more());
}

// Of all objects only those that mention the name are kept.
base::Task<std::vector<json::Value>> mentioning(kube::Api& api, Lookup lookup, LookupTurns::Review& review) {
  std::vector<json::Value> found;
  co_await eachObject(
      api, {.group = lookup.group, .version = lookup.version, .kind = lookup.kind, .plural = lookup.plural},
      lookup.namespace_, review,
      [&](const json::Value& item) {
        if (mentions(item, lookup.name)) found.emplace_back(item, boost::json::storage_ptr());  // not its whole page
      },
      [] { return false; });
  co_return found;
}

struct Beyond {
  kube::ObjectKey pool;
  AddressBounds bounds;
};

// One list is enough as long as it is short. nullopt: the namespace has many, and is watched now.
base::Task<std::optional<std::vector<std::string>>> listed(kube::Api& api, Beyond wanted, LookupTurns::Review& review,
                                                           AddressWatches& watches) {
  std::vector<std::string> found;
  bool isWatched = false;
  for (const auto* kind : addressKinds()) {
    const auto visit = [&, kind](const json::Value& item) {
      const auto address = addressIn(*kind, item);
      if (address && address->pool == wanted.pool && found.size() < kMostBeyond &&
          !wanted.bounds.hold(address->address))
        found.push_back(address->address);
    };
    co_await eachObject(api, kube::Resource::of(*kind), wanted.pool.namespace_, review, visit, [&] {
      isWatched = watches.watch(wanted.pool.namespace_);
      return isWatched || found.size() == kMostBeyond;
    });
    if (isWatched) co_return std::nullopt;
  }
  co_return found;
}

base::Task<std::vector<std::string>> addressesOf(kube::Api& api, Beyond wanted, LookupTurns::Review& review,
                                                 AddressWatches& watches) {
  while (true) {
    if (auto known = watches.beyond(wanted.pool, wanted.bounds)) co_return std::move(*known);
    if (auto known = co_await listed(api, wanted, review, watches)) co_return std::move(*known);
    co_await watches.known(wanted.pool.namespace_);
  }
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

std::vector<std::string> Lookups::addressesBeyond(const kube::ObjectKey& pool, const AddressBounds& bounds) const {
  if (const auto known = beyond_.find(pool); known != beyond_.end()) return known->second;
  missingBeyond_.insert_or_assign(pool, bounds);
  return {};
}

base::Task<void> Lookups::fetch(kube::Api& api, LookupTurns::Review& review, AddressWatches& watches) {
  while (!missing_.empty()) {
    const Lookup lookup = *missing_.begin();
    known_[lookup] = co_await mentioning(api, lookup, review);
    missing_.erase(lookup);
  }
  while (!missingBeyond_.empty()) {
    const auto [pool, bounds] = *missingBeyond_.begin();
    beyond_[pool] = co_await addressesOf(api, {pool, bounds}, review, watches);
    missingBeyond_.erase(pool);
  }
}

}  // namespace ingot::coordinator::webhooks
