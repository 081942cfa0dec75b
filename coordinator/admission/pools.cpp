#include "api/capi_ipam/ip_address.hpp"
#include "api/ipam/admission.hpp"
#include "coordinator/admission/kind_admission.hpp"
#include "coordinator/ipam/claim_action.hpp"

namespace ingot::coordinator {
namespace {

using api::ipam::IPPool;

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
    eachMentioning<Address>(
        registry_, pool.metadata.name,
        [&](const Address& address) {
          if (ipam::poolOf(address) == pool.metadata.key())
            pool.status.indexes[address.spec.address] = address.spec.address;
        },
        pool.metadata.namespace_);
  }

  const apiserver::Registry& registry_;
};

}  // namespace

std::shared_ptr<const apiserver::KindRules> poolRules(const apiserver::Registry& registry) {
  return std::make_shared<PoolRules>(registry);
}

}  // namespace ingot::coordinator
