#include "coordinator/data/template_reconciler.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/caches/publication_pace.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::data {
namespace {

namespace finalizer = api::capm3::finalizer;

}  // namespace

bool mattersToTemplate(const Metal3DataTemplate& before, const Metal3DataTemplate& after) {
  kube::ObjectMeta same = before.metadata;
  same.resourceVersion = after.metadata.resourceVersion;
  return same != after.metadata ||                       // the generation stands for the spec
         before.status.indexes != after.status.indexes;  // somebody else's: what we wrote is looked at once more
}

TemplateReconciler::TemplateReconciler(base::Runtime runtime, kube::PassWorld<Metal3DataTemplate> world,
                                       TemplateWorld templates)
    : ObjectReconciler(std::move(world)),
      runtime_(std::move(runtime)),
      templates_(templates),
      errors_(runtime_.clock, this->world().events) {}

void TemplateReconciler::gone(const kube::ObjectKey& key) {
  shown_.erase(key);
  told_.erase(key);
  errors_.over(key);
}

base::Task<kube::Next> TemplateReconciler::run(kube::Pass<Metal3DataTemplate>& dataTemplate) {
  co_return co_await errors_.watch(dataTemplate, act(dataTemplate));
}

base::Task<kube::Next> TemplateReconciler::act(kube::Pass<Metal3DataTemplate>& dataTemplate) {
  if (!templates_.gate.takes(dataTemplate->metadata) || api::capi::isPaused(dataTemplate->metadata))
    co_return kube::Next::onChange();
  const bool leaves = dataTemplate->metadata.beingDeleted();
  if (leaves && !kube::hasFinalizer(dataTemplate->metadata, finalizer::dataTemplate)) co_return kube::Next::onChange();
  if (!leaves) kube::addFinalizer(dataTemplate->metadata, finalizer::dataTemplate);
  const auto wait = publish(dataTemplate);
  if (leaves) release(dataTemplate);
  co_await dataTemplate.save();
  if (wait) co_return kube::Next::after(*wait);
  // Claims and data bring it back, but for those that cannot be read.
  co_return leaves ? kube::Next::after(kLookAgain) : kube::Next::onChange();
}

void TemplateReconciler::release(kube::Pass<Metal3DataTemplate>& dataTemplate) {
  std::string why = waitsFor(*dataTemplate);
  if (why.empty()) {
    kube::removeFinalizer(dataTemplate->metadata, finalizer::dataTemplate);
    return;
  }
  const std::string& uid = dataTemplate->metadata.uid;
  if (told_[dataTemplate.key()] == uid) return;
  dataTemplate.journal().event("WaitingForClaims", std::move(why));
  dataTemplate.journal().onceSaved([this, key = dataTemplate.key(), uid] { told_.insert_or_assign(key, uid); });
}

std::string TemplateReconciler::waitsFor(const Metal3DataTemplate& dataTemplate) const {
  const kube::ObjectKey key = dataTemplate.metadata.key();
  const std::size_t claims = templates_.claimsOf.find(key).size();
  const std::size_t data = templates_.dataOf.find(key).size();
  if (claims > 0 || data > 0)
    return fmt::format("The deletion waits for {} Metal3DataClaims and {} Metal3Data of this template", claims, data);
  const bool isDoubtful =
      templates_.claims.anyUnreadableIn(key.namespace_) || templates_.data.anyUnreadableIn(key.namespace_);
  return isDoubtful ? "The deletion waits for claims or data of this namespace that cannot be read" : "";
}

std::vector<std::shared_ptr<const Metal3Data>> TemplateReconciler::dataOf(const kube::ObjectKey& key) const {
  std::vector<std::shared_ptr<const Metal3Data>> all;
  for (const auto& data : templates_.dataOf.find(key))
    if (auto found = templates_.data.find(data)) all.push_back(std::move(found));
  return all;
}

base::Duration TemplateReconciler::untilPublication(const kube::ObjectKey& dataTemplate) const {
  const auto last = shown_.find(dataTemplate);
  if (last == shown_.end()) return {};
  return std::max(base::Duration{}, last->second.at + betweenPublications(last->second.entries) - runtime_.clock.now());
}

std::optional<base::Duration> TemplateReconciler::publish(kube::Pass<Metal3DataTemplate>& dataTemplate) {
  const base::Duration wait = untilPublication(dataTemplate.key());
  if (wait > base::Duration{}) return wait;  // before the cost of a look at all data
  Publication wanted = publicationOf(dataOf(dataTemplate.key()));
  const std::size_t entries = wanted.indexes.size() + wanted.leftOut;
  auto& status = dataTemplate->status;
  const bool isShown = wanted.indexes == status.indexes;
  const auto last = shown_.find(dataTemplate.key());
  const bool whole = wanted.leftOut == 0;
  const bool wasTold = last == shown_.end() ? isShown : !last->second.whole;
  if (!whole && !wasTold)
    dataTemplate.journal().warning(
        "IndexesNotShown", fmt::format("status.indexes shows {} of {} indexes, more than it takes. The Metal3Data "
                                       "are complete",
                                       wanted.indexes.size(), entries));
  if (!isShown) {
    status.indexes = std::move(wanted.indexes);
    status.lastUpdated = std::chrono::floor<std::chrono::seconds>(runtime_.clock.wall());
  }
  const Shown shown{runtime_.clock.now(), entries, whole};
  dataTemplate.journal().onceSaved([this, key = dataTemplate.key(), shown] { shown_.insert_or_assign(key, shown); });
  return std::nullopt;
}

}  // namespace ingot::coordinator::data
