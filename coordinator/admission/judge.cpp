#include "coordinator/admission/judge.hpp"

#include "api/capi_ipam/ip_address.hpp"
#include "api/ipam/ip_pool.hpp"
#include "api/metal3/network.hpp"
#include "kube/core/undecoded.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::coordinator {
namespace {

using apiserver::Operation;

FurtherRules furtherRulesOf(const kube::KindInfo& kind) {
  if (&kind == &api::HostNetworkAttachment::info) return judgeAttachment;
  if (&kind == &api::ipam::IPPool::info) return judgePool;
  if (&kind == &api::capi_ipam::IPAddress::info) return judgeSharedAddress;
  return nullptr;
}

// By the rules that look at the object alone.
Ruling judgeByItself(const api::KindRow& kind, const Question& question) {
  if (question.operation == Operation::remove || !kind.rules || !kind.rules->update) return {};
  std::optional<api::Verdict> verdict;
  if (question.before) verdict = whereReadable([&] { return kind.rules->update(*question.before, question.object); });
  if (!verdict) verdict = whereReadable([&] { return kind.rules->create(question.object); });
  if (!verdict) return {};
  return rulingOf(*verdict, {*kind.stored, json::textAt(question.object, {"metadata", "name"})});
}

}  // namespace

std::optional<json::Value> OtherObjects::named(const kube::KindInfo& kind, const kube::ObjectKey& key) const {
  std::optional<json::Value> found;
  eachMentioning(kind, key.name, key.namespace_, [&](const json::Value& document) {
    if (kube::keyOf(document) == key) found = document;
  });
  return found;
}

void setDefaults(const api::KindRow& kind, json::Value& object) {
  if (!kind.rules) return;
  try {
    kind.rules->setDefaults(object);
  } catch (const json::DecodeError&) {  // its schema says so, where it does
    return;
  }
}

Ruling judge(const api::KindRow& kind, const Question& question, const OtherObjects& others) {
  Ruling ruling = judgeByItself(kind, question);
  const FurtherRules further = furtherRulesOf(*kind.stored);
  if (ruling.refusal || further == nullptr) return ruling;
  Ruling second = further(question, others);
  std::ranges::move(second.warnings, std::back_inserter(ruling.warnings));
  ruling.refusal = std::move(second.refusal);
  return ruling;
}

}  // namespace ingot::coordinator
