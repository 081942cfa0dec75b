#include "api/bmh/baremetalhost.hpp"
#include "api/metal3/admission.hpp"
#include "coordinator/admission/kind_admission.hpp"

namespace ingot::coordinator {
namespace {

using api::HostNetworkAttachment;

class AttachmentRules final : public apiserver::KindRules {
 public:
  explicit AttachmentRules(const apiserver::Registry& registry) : registry_(registry) {}

  void admit(const json::Value& object, const json::Value* old, const apiserver::WriteContext& context,
             apiserver::Warnings& warnings) const override {
    const auto after = readable<HostNetworkAttachment>(object);
    if (!after) return;
    const auto before = old ? readable<HostNetworkAttachment>(*old) : std::nullopt;
    const auto verdict =
        before ? api::admitUpdate(*before, *after, usersOf(*before, *after)) : api::admitCreate(*after);
    carryOut(rulingOf(verdict, aboutOf(*after)), context.replay, warnings);
  }

  void admitDelete(const json::Value& object, const apiserver::WriteContext& context,
                   apiserver::Warnings& warnings) const override {
    const auto attachment = readable<HostNetworkAttachment>(object);
    if (!attachment) return;
    carryOut(rulingOnDelete(api::admitDelete(usersOf(*attachment)), aboutOf(*attachment)), context.replay, warnings);
  }

 private:
  static Subject aboutOf(const HostNetworkAttachment& attachment) {
    return {HostNetworkAttachment::info, attachment.metadata.name};
  }

  // An update that leaves the spec as it is needs no search for the hosts that use the attachment.
  [[nodiscard]] api::AttachmentUsers usersOf(const HostNetworkAttachment& before,
                                             const HostNetworkAttachment& after) const {
    return before.spec == after.spec ? api::AttachmentUsers() : usersOf(before);
  }

  [[nodiscard]] api::AttachmentUsers usersOf(const HostNetworkAttachment& attachment) const {
    const auto& [name, space] = std::tie(attachment.metadata.name, attachment.metadata.namespace_);
    api::AttachmentUsers all;
    eachMentioning<api::BareMetalHost>(registry_, name, [&](const api::BareMetalHost& host) {
      const auto some = api::usersIn(host, space, name);
      all.insert(all.end(), some.begin(), some.end());
    });
    return all;
  }

  const apiserver::Registry& registry_;
};

}  // namespace

std::shared_ptr<const apiserver::KindRules> attachmentRules(const apiserver::Registry& registry) {
  return std::make_shared<AttachmentRules>(registry);
}

}  // namespace ingot::coordinator
