#include "cloudinit/meta_data.hpp"

#include "cloudinit/document.hpp"

namespace ingot::cloudinit {

namespace {

namespace v1beta2 = api::capm3::v1beta2;

class MetaDataRenderer {
 public:
  explicit MetaDataRenderer(const Snapshot& snapshot) : snapshot_(snapshot) {}

  // In the order in which later lists win.
  std::string render(const v1beta2::MetaData& wanted) {
    each("fromHostInterfaces", wanted.fromHostInterfaces, &MetaDataRenderer::hostInterface);
    each("ipAddressesFromPool", wanted.ipAddressesFromPool, &MetaDataRenderer::address);
    each("prefixesFromPool", wanted.prefixesFromPool, &MetaDataRenderer::prefix);
    each("gatewaysFromPool", wanted.gatewaysFromPool, &MetaDataRenderer::gateway);
    each("indexes", wanted.indexes, &MetaDataRenderer::index);
    each("namespaces", wanted.namespaces, &MetaDataRenderer::dataNamespace);
    each("objectNames", wanted.objectNames, &MetaDataRenderer::objectName);
    each("fromLabels", wanted.fromLabels, &MetaDataRenderer::label);
    each("fromAnnotations", wanted.fromAnnotations, &MetaDataRenderer::annotation);
    each("strings", wanted.strings, &MetaDataRenderer::string);
    values_["providerid"] = providerId();
    std::string text = writeDocument(root_, values_);
    refusals_.raise();
    return text;
  }

 private:
  template <class Item>
  using Value = std::string (MetaDataRenderer::*)(const Field&, const Item&);

  template <class Item>
  void each(std::string_view list, const std::vector<Item>& items, Value<Item> value) {
    for (std::size_t i = 0; i < items.size(); ++i)
      values_[items[i].key] = (this->*value)(root_.item(list, i), items[i]);
  }

  std::string hostInterface(const Field& field, const v1beta2::MetaDataHostInterface& item) {
    if (!item.fromBootMAC.value_or(false)) return macOfInterface(snapshot_, field.member("interface"), item.interface);
    const api::BareMetalHost& host = requiredHost(field);
    if (!host.spec.bootMACAddress.empty()) return host.spec.bootMACAddress;
    throw RenderError(field.member("fromBootMAC"), "",
                      fmt::format("metadata key {}: BareMetalHost {}/{} spec.bootMACAddress is empty",
                                  quotedAsGo(item.key), host.metadata.namespace_, host.metadata.name));
  }

  std::string address(const Field& field, const v1beta2::MetaDataFromPool& item) {
    return poolNamed(snapshot_, field.member("name"), item.name).address;
  }

  std::string prefix(const Field& field, const v1beta2::MetaDataFromPool& item) {
    const PoolAddress& pool = poolNamed(snapshot_, field.member("name"), item.name);
    if (!pool.prefix) throw RenderError(field.member("name"), item.name, "the pool gives no prefix");
    return fmt::to_string(*pool.prefix);
  }

  std::string gateway(const Field& field, const v1beta2::MetaDataFromPool& item) {
    return poolNamed(snapshot_, field.member("name"), item.name).gateway;
  }

  std::string index(const Field& field, const v1beta2::MetaDataIndex& item) {
    const std::int64_t step = item.step == 0 ? 1 : item.step;
    const std::int64_t number = item.offset.value_or(0) + snapshot_.data.spec.index.value_or(0) * step;
    if (!std::in_range<std::int32_t>(number))
      refusals_.add(field, fmt::to_string(number), "offset + index * step does not fit 32 bits");
    return item.prefix + fmt::to_string(number) + item.suffix;
  }

  std::string dataNamespace(const Field& /*field*/, const v1beta2::MetaDataNamespace& /*item*/) {
    return snapshot_.data.metadata.namespace_;
  }

  std::string objectName(const Field& field, const v1beta2::MetaDataObjectName& item) {
    return objectNamed(snapshot_, {field, item.object}).name;
  }

  std::string label(const Field& field, const v1beta2::MetaDataFromLabel& item) {
    return labelOf(snapshot_, {field, item.object}, item.label);
  }

  std::string annotation(const Field& field, const v1beta2::MetaDataFromAnnotation& item) {
    return annotationOf(snapshot_, {field, item.object}, item.annotation);
  }

  std::string string(const Field& /*field*/, const v1beta2::MetaDataString& item) { return item.value; }

  const api::BareMetalHost& requiredHost(const Field& field) const {
    if (!snapshot_.host) throw RenderError(field, "baremetalhost", "there is no such object yet");
    return *snapshot_.host;
  }

  std::string providerId() const {
    const Field field = root_.member("providerid");
    const kube::ObjectMeta& machine = objectNamed(snapshot_, {field, "metal3machine"});
    return machine.namespace_ + "/" + requiredHost(field).metadata.name + "/" + machine.name;
  }

  const Snapshot& snapshot_;
  const Field root_{"metaData"};
  json::Object values_;
  Refusals refusals_;
};

}  // namespace

std::string renderMetaData(const v1beta2::MetaData& wanted, const Snapshot& snapshot) {
  return MetaDataRenderer(snapshot).render(wanted);
}

}  // namespace ingot::cloudinit
