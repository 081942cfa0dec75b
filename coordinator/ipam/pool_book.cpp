#include "coordinator/ipam/pool_book.hpp"

#include "api/ipam/admission.hpp"
#include "api/ipam/names.hpp"
#include "coordinator/ipam/naming.hpp"

#include <algorithm>
#include <utility>

namespace ingot::coordinator::ipam {

using api::ipam::Span;
using base::IpAddress;

PoolBook::PoolBook(const api::ipam::IPPool& pool) : name_(pool.metadata.name), namespace_(pool.metadata.namespace_) {
  follow(pool);
  version_ = 0;
}

void PoolBook::follow(const api::ipam::IPPool& pool) {
  const bool isNamedOtherwise = namePrefix_ != pool.spec.namePrefix;
  if (isNamedOtherwise || pool.metadata.beingDeleted()) avoidNothing();
  namePrefix_ = pool.spec.namePrefix;
  random_ = api::ipam::isRandom(pool.spec);
  preAllocations_ = pool.spec.preAllocations;
  sources_ = sourcesOf(pool.spec);
  // Of one that is to go nothing is kept for later any more.
  keep(pool.metadata.beingDeleted() ? std::map<std::string, std::string>() : preAllocations_);
  ++version_;
}

std::vector<PoolBook::Source> PoolBook::sourcesOf(const api::ipam::IPPoolSpec& spec) {
  std::vector<Source> out;
  out.reserve(spec.pools.size());
  for (const auto& range : spec.pools) {
    Source source{.span = sequentialSpan(range), .random = std::nullopt, .terms = {}};
    if (auto space = api::ipam::randomSpace(range); auto* found = std::get_if<api::ipam::RandomSpace>(&space))
      source.random = *found;
    source.terms = {.prefix = range.prefix != 0 ? range.prefix : spec.prefix,
                    .gateway = range.gateway.empty() ? spec.gateway : range.gateway,
                    .dnsServers = range.dnsServers.empty() ? spec.dnsServers : range.dnsServers};
    out.push_back(std::move(source));
  }
  return out;
}

void PoolBook::keep(const std::map<std::string, std::string>& preAllocations) {
  for (const IpAddress address : std::exchange(kept_, {})) unhold(address);
  for (const std::string& text : std::exchange(keptTexts_, {})) unhold(text);
  for (const auto& [claim, text] : preAllocations) {
    const auto address = IpAddress::parse(text);
    if (address && !kept_.insert(*address).second) continue;
    if (!address) keptTexts_.push_back(text);
    hold(text);
  }
}

// --- what exists ---------------------------------------------------------------------------------------------------

void PoolBook::add(const api::ipam::IPAddress& object) {
  if (object.metadata.namespace_ != namespace_ || object.spec.pool.name != name_) return;
  enter({{ClaimKind::metal3, object.spec.claim.name}, object.metadata.name}, object.spec.address);
}

void PoolBook::add(const api::capi_ipam::IPAddress& object) {
  const auto& pool = object.spec.poolRef;
  if (object.metadata.namespace_ != namespace_ || pool.name != name_) return;
  if (pool.apiGroup != api::ipam::kGroup || pool.kind != api::ipam::IPPool::info.kind) return;
  enter({{ClaimKind::capi, object.spec.claimRef.name}, object.metadata.name}, object.spec.address);
}

void PoolBook::remove(const api::ipam::IPAddress& object) {
  if (object.metadata.namespace_ == namespace_)
    strike({{ClaimKind::metal3, object.spec.claim.name}, object.metadata.name});
}

void PoolBook::remove(const api::capi_ipam::IPAddress& object) {
  if (object.metadata.namespace_ == namespace_)
    strike({{ClaimKind::capi, object.spec.claimRef.name}, object.metadata.name});
}

void PoolBook::release(const ClaimKey& claim) {
  for (auto at = entries_.lower_bound({claim, ""}); at != entries_.end() && at->first.claim == claim;) {
    letGo(*at);
    at = entries_.erase(at);
  }
}

void PoolBook::enter(Holder holder, const std::string& text) {
  const auto [at, isNew] = entries_.try_emplace(std::move(holder), text);
  if (!isNew && at->second == text) return;
  if (!isNew) {
    letGo(*at);
    at->second = text;
  }
  take(*at);
}

void PoolBook::strike(const Holder& holder) {
  const auto at = entries_.find(holder);
  if (at == entries_.end()) return;
  letGo(*at);
  entries_.erase(at);
}

void PoolBook::take(const Entries::value_type& entry) {
  hold(entry.second);
  if (const auto address = IpAddress::parse(entry.second)) holders_.enter(*address, entry.first);
}

void PoolBook::letGo(const Entries::value_type& entry) {
  unhold(entry.second);
  if (const auto address = IpAddress::parse(entry.second)) holders_.strike(*address, entry.first);
}

void PoolBook::hold(const std::string& text) {
  if (const auto address = IpAddress::parse(text)) return hold(*address);
  ++version_;
  ++unreadable_[text];
}

void PoolBook::hold(IpAddress address) {
  ++version_;
  if (!used_.insert(address)) ++moreHolders_[address];
}

void PoolBook::unhold(const std::string& text) {
  if (const auto address = IpAddress::parse(text)) return unhold(*address);
  ++version_;
  if (--unreadable_[text] == 0) unreadable_.erase(text);
}

void PoolBook::unhold(IpAddress address) {
  ++version_;
  if (const auto more = moreHolders_.find(address); more == moreHolders_.end()) {
    used_.erase(address);
  } else if (--more->second == 0) {
    moreHolders_.erase(more);
  }
}

void PoolBook::reserve(const std::string& claim, const std::string& address) {
  if (reserved_.try_emplace(claim, address).second) hold(address);
}

bool PoolBook::isInUse(const std::string& text) const {
  const auto address = IpAddress::parse(text);
  return address ? used_.contains(*address) : unreadable_.contains(text);
}

void PoolBook::avoid(const ClaimKey& object, IpAddress address) {
  if (!avoided_.try_emplace(object, address).second) return;
  hold(address);
  ++passedOver_[address];
}

void PoolBook::avoidNoMore(const ClaimKey& object) {
  const auto avoided = avoided_.extract(object);
  if (!avoided) return;
  unhold(avoided.mapped());
  const auto passedOver = passedOver_.find(avoided.mapped());
  if (--passedOver->second == 0) passedOver_.erase(passedOver);
}

void PoolBook::avoidNothing() {
  for (const auto& [object, address] : std::exchange(avoided_, {})) unhold(address);
  passedOver_.clear();
}

bool PoolBook::isOnlyAvoided(IpAddress address) const {
  const auto passedOver = passedOver_.find(address);
  if (passedOver == passedOver_.end()) return false;
  const auto more = moreHolders_.find(address);
  const int holders = 1 + (more == moreHolders_.end() ? 0 : more->second) - (isKept(address) ? 1 : 0);
  return passedOver->second == holders;
}

std::optional<IpAddress> PoolBook::anyAvoided() const {
  const auto at = std::ranges::find_if(
      passedOver_, [this](const auto& one) { return !isKept(one.first) && isOnlyAvoided(one.first); });
  return at == passedOver_.end() ? std::nullopt : std::optional(at->first);
}

// --- what the next claim gets --------------------------------------------------------------------------------------

Answer PoolBook::allocate(const Request& request, base::Random& random) {
  const std::string* kept = keptFor(request.claim.name);
  Answer answer = kept || !request.address.empty() ? fixedAddress(request, kept) : anyAddress(random);
  auto* grant = std::get_if<Grant>(&answer);
  if (!grant) return answer;
  if (request.claim.kind == ClaimKind::capi && (grant->prefix < 0 || grant->prefix > 128))
    return Refused{Refusal::invalidPrefix, ""};
  const std::string text = grant->address.text();
  enter({request.claim, addressName(namePrefix_, text)}, text);
  return answer;
}

Answer PoolBook::fixedAddress(const Request& request, const std::string* kept) {
  const auto requested = IpAddress::parse(request.address);
  if (!request.address.empty() && !requested) return Refused{Refusal::invalidRequest, request.address};
  const auto keptAddress = kept ? IpAddress::parse(*kept) : std::nullopt;
  if (requested && kept && requested != keptAddress) return Refused{Refusal::conflictingRequest, ""};
  if (kept && !keptAddress) return Refused{Refusal::preAllocatedOutOfBounds, ""};

  const IpAddress wanted = kept ? *keptAddress : *requested;
  const Source* source = sourceOf(wanted);
  if (!source) return Refused{kept ? Refusal::preAllocatedOutOfBounds : Refusal::exhausted, ""};
  if (isOnlyAvoided(wanted)) return NameTaken{wanted};
  if (kept && isHeld(wanted)) return Taken{wanted};
  if (!kept && used_.contains(wanted)) return Refused{Refusal::requestedNotAvailable, ""};
  return Grant{wanted, source->terms.prefix, source->terms.gateway, source->terms.dnsServers};
}

Answer PoolBook::anyAddress(base::Random& random) const {
  for (const Source& source : sources_)
    if (const auto free = freeIn(source, random))
      return Grant{*free, source.terms.prefix, source.terms.gateway, source.terms.dnsServers};
  if (const auto avoided = anyAvoided()) return NameTaken{*avoided};
  return Refused{Refusal::exhausted, ""};
}

bool PoolBook::isAnyFree(base::Random& random) const {
  return std::ranges::any_of(sources_, [&](const Source& source) { return freeIn(source, random).has_value(); });
}

std::optional<IpAddress> PoolBook::freeIn(const Source& source, base::Random& random) const {
  if (!random_) return source.span ? used_.firstFree(*source.span) : std::nullopt;
  if (!source.random || source.random->size == 0 || !source.random->usable) return std::nullopt;
  const Span& usable = *source.random->usable;
  const IpAddress drawn(source.random->base + random.below(source.random->size));
  const IpAddress from = std::max(drawn, usable.first);
  if (from <= usable.last)
    if (const auto free = used_.firstFree({from, usable.last})) return free;
  return used_.firstFree(usable);  // from the beginning again
}

const PoolBook::Source* PoolBook::sourceOf(IpAddress address) const {
  const auto at = std::ranges::find_if(sources_, [&](const Source& s) { return s.span && s.span->contains(address); });
  return at == sources_.end() ? nullptr : &*at;
}

const std::string* PoolBook::keptFor(const std::string& claim) const {
  const auto at = preAllocations_.find(claim);
  return at == preAllocations_.end() ? nullptr : &at->second;
}

bool PoolBook::isHeld(IpAddress address) const {
  return isKept(address) ? moreHolders_.contains(address) : used_.contains(address);
}

// --- what is told of it --------------------------------------------------------------------------------------------

std::vector<std::string> PoolBook::objectsOf(const ClaimKey& claim) const {
  std::vector<std::string> names;
  for (auto at = entries_.lower_bound({claim, ""}); at != entries_.end() && at->first.claim == claim; ++at)
    names.push_back(at->first.object);
  return names;
}

const std::string* PoolBook::addressOf(const ClaimKey& claim) const {
  const std::string* last = nullptr;
  for (auto at = entries_.lower_bound({claim, ""}); at != entries_.end() && at->first.claim == claim; ++at)
    last = &at->second;
  return last;
}

// As the address is written, but where status.indexes knows no such notation: ::ffff:10.0.0.5.
std::map<std::string, std::string> PoolBook::indexes() const {
  std::map<std::string, std::string> all;
  const auto show = [&all](const std::string& claim, const std::string& text) {
    const auto address = IpAddress::parse(text);
    const bool isMixed = text.contains(':') && text.contains('.');
    if (address) all.insert_or_assign(claim, isMixed ? address->text() : text);
  };
  for (const ClaimKind kind : {ClaimKind::capi, ClaimKind::metal3})
    for (const auto& [holder, text] : entries_)
      if (holder.claim.kind == kind) show(holder.claim.name, text);
  for (const auto& [claim, text] : reserved_) show(claim, text);
  return all;
}

}  // namespace ingot::coordinator::ipam
