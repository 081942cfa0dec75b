#include "coordinator/admission/pools.hpp"

#include "api/capi_ipam/ip_address.hpp"
#include "api/ipam/admission.hpp"
#include "coordinator/admission/kind_admission.hpp"

namespace ingot::coordinator {
namespace {

using api::ipam::IPPool;

bool isOf(const api::ipam::IPAddress& address, const IPPool& pool) {
  return address.metadata.namespace_ == pool.metadata.namespace_ && address.spec.pool.name == pool.metadata.name;
}

bool isOf(const api::capi_ipam::IPAddress& address, const IPPool& pool) {
  const auto& ref = address.spec.poolRef;
  return address.metadata.namespace_ == pool.metadata.namespace_ && ref.name == pool.metadata.name &&
         ref.apiGroup == IPPool::info.group && ref.kind == IPPool::info.kind;
}

class PoolRules final : public apiserver::KindRules {
 public:
  explicit PoolRules(const apiserver::Registry& registry) : registry_(registry) {}

  void admit(const json::Value& object, const json::Value* old, const apiserver::WriteContext& context,
             apiserver::Warnings& warnings) const override {
    if (old == nullptr || !context.subresource.empty()) return;
    auto before = readable<IPPool>(*old);
    const auto after = readable<IPPool>(object);
    if (!before || !after || before->spec.pools == after->spec.pools) return;
    before->status.indexes.clear();
    addThoseOf<api::ipam::IPAddress>(*before);
    addThoseOf<api::capi_ipam::IPAddress>(*before);
    carryOut(rulingOf(admitUpdate(*before, *after), {IPPool::info, after->metadata.name}), context.replay, warnings);
  }

 private:
  template <class Address>
  void addThoseOf(IPPool& pool) const {
    const std::string mention = "\"" + pool.metadata.name + "\"";
    registry_.eachObject({std::string(Address::info.group), std::string(Address::info.plural)},
                         [&](const apiserver::Object& object) {
                           std::string room;  // spares reading most of them
                           if (object.body.view(room).find(mention) == std::string_view::npos) return;
                           const auto address = readable<Address>(documentOf(object));
                           if (address && isOf(*address, pool))
                             pool.status.indexes[address->spec.address] = address->spec.address;
                         });
  }

  const apiserver::Registry& registry_;
};

}  // namespace

std::shared_ptr<const apiserver::KindRules> poolRules(const apiserver::Registry& registry) {
  return std::make_shared<PoolRules>(registry);
}

}  // namespace ingot::coordinator
