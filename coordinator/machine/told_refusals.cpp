#include "coordinator/machine/told_refusals.hpp"

#include "coordinator/machine/explanation.hpp"

namespace ingot::coordinator::machine {

const std::string& ToldRefusals::whyNoHost(const HostWish& wish) {
  const std::string& space = wish.machine.metadata.namespace_;
  Texts& texts = texts_[space];
  const std::uint64_t version = pool_.version(space);
  if (std::exchange(texts.version, version) != version) texts.byWish.clear();
  const auto [at, isNew] = texts.byWish.try_emplace({wish.selector.text(), wish.nodeReuse});
  if (!isNew) return at->second;
  ++made_;
  const auto isGone = [&](const std::string& owner) { return owners_ != nullptr && owners_->isGone(space, owner); };
  at->second = machine::whyNoHost(pool_.candidates(space), pool_.inUse(space), wish, isGone, pool_.unreadable(space));
  return at->second;
}

}  // namespace ingot::coordinator::machine
