#include "cloudinit/findings.hpp"

#include <set>

namespace ingot::cloudinit {

namespace {

namespace v1beta2 = api::capm3::v1beta2;

class Findings {
 public:
  explicit Findings(const Snapshot& snapshot) : snapshot_(snapshot) {}

  void inMetaData(const v1beta2::MetaData& data) {
    const Field field("metaData");
    keys(field, "fromHostInterfaces", data.fromHostInterfaces);
    keys(field, "ipAddressesFromPool", data.ipAddressesFromPool);
    keys(field, "prefixesFromPool", data.prefixesFromPool);
    keys(field, "gatewaysFromPool", data.gatewaysFromPool);
    keys(field, "indexes", data.indexes);
    keys(field, "namespaces", data.namespaces);
    keys(field, "objectNames", data.objectNames);
    keys(field, "fromLabels", data.fromLabels);
    keys(field, "fromAnnotations", data.fromAnnotations);
    keys(field, "strings", data.strings);
    for (std::size_t i = 0; i < data.dnsServersFromPool.size(); ++i)
      add(field.item("dnsServersFromPool", i), data.dnsServersFromPool[i].key, "is claimed, but renders nothing");
    labels(field, data.fromLabels);
    annotations(field, data.fromAnnotations);
  }

  void inNetworkData(const v1beta2::NetworkData& data) {
    const Field field("networkData");
    if (data.links) inLinks(field.member("links"), *data.links);
    if (data.networks) inNetworks(field.member("networks"), *data.networks);
  }

  std::vector<RenderError> take() { return std::move(all_); }

 private:
  void add(const Field& field, std::string_view value, const std::string& problem) {
    all_.emplace_back(field, value, problem);
  }

  void keys(const Field& field, std::string_view list, const auto& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Field item = field.item(list, i);
      if (items[i].key == "providerid")
        add(item.member("key"), items[i].key, "is always set by us");
      else if (!keys_.insert(items[i].key).second)
        add(item.member("key"), items[i].key, "is given before; this one wins");
    }
  }

  // nullptr for a kind that is not known or not there: rendering refuses it.
  const kube::ObjectMeta* objectOf(const Field& item, std::string_view object) const {
    try {
      return &objectNamed(snapshot_, {item, object});
    } catch (const RenderError&) {
      return nullptr;
    }
  }

  void labels(const Field& field, const std::vector<v1beta2::MetaDataFromLabel>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Field item = field.item("fromLabels", i);
      const auto* object = objectOf(item, items[i].object);
      if (object && !object->label(items[i].label))
        add(item.member("label"), items[i].label, "the " + items[i].object + " has no such label; renders \"\"");
    }
  }

  void annotations(const Field& field, const std::vector<v1beta2::MetaDataFromAnnotation>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Field item = field.item("fromAnnotations", i);
      const auto* object = objectOf(item, items[i].object);
      if (object && !object->annotation(items[i].annotation))
        add(item.member("annotation"), items[i].annotation,
            "the " + items[i].object + " has no such annotation; renders \"\"");
    }
  }

  void inLinks(const Field& field, const v1beta2::NetworkLinks& links) {
    rememberLinks(field, links);
    for (std::size_t i = 0; i < links.bonds.size(); ++i) members(field.item("bonds", i), links.bonds[i]);
    for (std::size_t i = 0; i < links.vlans.size(); ++i)
      requireLink(field.item("vlans", i).member("vlanLink"), links.vlans[i].vlanLink);
  }

  void rememberLinks(const Field& field, const v1beta2::NetworkLinks& links) {
    const auto remember = [&](std::string_view list, const auto& items) {
      for (std::size_t i = 0; i < items.size(); ++i)
        if (!links_.insert(items[i].id).second)
          add(field.item(list, i).member("id"), items[i].id, "another link has this id");
    };
    remember("bonds", links.bonds);
    remember("ethernets", links.ethernets);
    remember("vlans", links.vlans);
  }

  void members(const Field& bond, const v1beta2::BondLink& link) {
    if (!link.bondLinks || link.bondLinks->empty())
      return add(bond.member("bondLinks"), link.id, "a bond without members");
    for (std::size_t i = 0; i < link.bondLinks->size(); ++i)
      requireLink(bond.item("bondLinks", i), (*link.bondLinks)[i]);
  }

  void requireLink(const Field& field, const std::string& id) {
    if (!links_.contains(id)) add(field, id, "no link has this id");
  }

  void inNetworks(const Field& field, const v1beta2::Networks& networks) {
    const auto each = [&](std::string_view list, const auto& items) {
      for (std::size_t i = 0; i < items.size(); ++i) {
        const Field item = field.item(list, i);
        requireLink(item.member("link"), items[i].link);
      }
    };
    each("ipv4", networks.ipv4);
    each("ipv6", networks.ipv6);
    each("ipv4DHCP", networks.ipv4DHCP);
    each("ipv6DHCP", networks.ipv6DHCP);
    each("ipv6SLAAC", networks.ipv6SLAAC);
  }

  const Snapshot& snapshot_;
  std::set<std::string> keys_, links_;
  std::vector<RenderError> all_;
};

}  // namespace

std::vector<RenderError> findingsIn(const v1beta2::Metal3DataTemplateSpec& wanted, const Snapshot& snapshot) {
  Findings findings(snapshot);
  if (wanted.metaData) findings.inMetaData(*wanted.metaData);
  if (wanted.networkData) findings.inNetworkData(*wanted.networkData);
  return findings.take();
}

}  // namespace ingot::cloudinit
