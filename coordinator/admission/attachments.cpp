#include "api/bmh/baremetalhost.hpp"
#include "api/bmh/names.hpp"
#include "api/metal3/admission.hpp"
#include "coordinator/admission/judge.hpp"

namespace ingot::coordinator {
namespace {

using api::HostNetworkAttachment;

Subject aboutAttachment(const HostNetworkAttachment& attachment) {
  return {HostNetworkAttachment::info, attachment.metadata.name};
}

// `clusterctl move` deletes it while its hosts are still there; it lives on elsewhere (spec/cluster-api.md §1.13).
bool isBeingMoved(const HostNetworkAttachment& attachment) {
  return attachment.metadata.annotation(std::string(api::annotation::deleteForMove)) != nullptr;
}

api::AttachmentUsers usersOf(const HostNetworkAttachment& attachment, const OtherObjects& others) {
  const auto& [name, space] = std::tie(attachment.metadata.name, attachment.metadata.namespace_);
  api::AttachmentUsers all;
  others.eachMentioning(api::BareMetalHost::info, name, std::nullopt, [&](const json::Value& document) {
    const auto host = readable<api::BareMetalHost>(document);
    if (!host) return;
    const auto some = api::usersIn(*host, space, name);
    all.insert(all.end(), some.begin(), some.end());
  });
  return all;
}

// An update that leaves the spec as it is needs no search for the hosts that use the attachment.
api::Verdict verdictOnUpdate(const HostNetworkAttachment& before, const HostNetworkAttachment& after,
                             const OtherObjects& others) {
  return api::admitUpdate(before, after, before.spec == after.spec ? api::AttachmentUsers() : usersOf(before, others));
}

}  // namespace

Ruling judgeAttachment(const Question& question, const OtherObjects& others) {
  const auto attachment = readable<HostNetworkAttachment>(question.object);
  if (!attachment) return {};
  const Subject about = aboutAttachment(*attachment);
  if (question.operation == apiserver::Operation::remove) {
    if (isBeingMoved(*attachment)) return {};
    return rulingOnDelete(api::admitDelete(usersOf(*attachment, others)), about);
  }
  const auto before = question.before ? readable<HostNetworkAttachment>(*question.before) : std::nullopt;
  return rulingOf(before ? verdictOnUpdate(*before, *attachment, others) : api::admitCreate(*attachment), about);
}

}  // namespace ingot::coordinator
