#include "cloudinit/secrets.hpp"

#include "api/capm3/names.hpp"

namespace ingot::cloudinit {

namespace {

constexpr std::size_t kLongestName = 253, kLongestLabel = 63;

struct Content {
  std::string_view key, suffix;  // metaData, -metadata
  const std::optional<api::SecretReference>& chosen;
};

std::string nameOf(const SecretOwner& owner, const Content& content) {
  if (content.chosen && !content.chosen->name.empty()) return content.chosen->name;
  return std::string(owner.metal3Machine) + std::string(content.suffix);
}

void requireShort(const Field& field, std::string_view value, std::size_t most) {
  if (value.size() <= most) return;
  throw RenderError(field, value, fmt::format("{} characters, and Kubernetes takes {} at most", value.size(), most));
}

kube::OwnerReference ownedBy(const api::capm3::v1beta2::Metal3Data& data) {
  return {.apiVersion = data.info.apiVersion(),
          .kind = std::string(data.info.kind),
          .name = data.metadata.name,
          .uid = data.metadata.uid,
          .controller = true};
}

kube::Secret secretWith(const SecretOwner& owner, const Content& content, std::string text) {
  const Field root(content.key);
  kube::Secret out;
  out.metadata.name = nameOf(owner, content);
  requireShort(root.member("name of the Secret"), out.metadata.name, kLongestName);
  requireShort(root.member("label " + std::string(api::capm3::label::clusterName)), owner.clusterName, kLongestLabel);
  out.metadata.namespace_ = owner.data.metadata.namespace_;
  out.metadata.labels[std::string(api::capm3::label::clusterName)] = owner.clusterName;
  out.metadata.ownerReferences.push_back(ownedBy(owner.data));
  out.type = api::capm3::kSecretType;
  out.data.emplace(content.key, kube::SecretBytes(std::move(text)));
  return out;
}

}  // namespace

kube::Secret metaDataSecret(const SecretOwner& owner, std::string text) {
  return secretWith(owner, {"metaData", "-metadata", owner.data.spec.metaData}, std::move(text));
}

kube::Secret networkDataSecret(const SecretOwner& owner, std::string text) {
  return secretWith(owner, {"networkData", "-networkdata", owner.data.spec.networkData}, std::move(text));
}

std::optional<api::SecretReference> userDataFor(const api::capi::Machine& machine,
                                                const api::capm3::v1beta2::Metal3Machine& metal3Machine) {
  if (metal3Machine.status.userData) return metal3Machine.status.userData;
  const auto& own = metal3Machine.spec.userData;
  if (own && !own->namespace_.empty() && own->namespace_ != metal3Machine.metadata.namespace_) {
    throw RenderError(Field("spec").member("userData"), own->namespace_ + "/" + own->name,
                      "cross-namespace secret reference is not allowed for userData");
  }
  const auto& bootstrap = machine.spec.bootstrap;
  if (bootstrap.dataSecretName) return api::SecretReference{*bootstrap.dataSecretName, machine.metadata.namespace_};
  if (!bootstrap.configRef.name.empty())
    return api::SecretReference{bootstrap.configRef.name, machine.metadata.namespace_};
  return own;
}

}  // namespace ingot::cloudinit
