#include "cloudinit/snapshot.hpp"

#include "base/text.hpp"

namespace ingot::cloudinit {

namespace {

// nullptr: a kind that we know, but not there.
const kube::ObjectMeta* findObject(const Snapshot& snapshot, const ObjectField& wanted) {
  const std::string kind = base::lower(wanted.object);
  if (kind == "metal3machine") return snapshot.metal3Machine;
  if (kind == "machine") return snapshot.machine;
  if (kind == "baremetalhost") return snapshot.host ? &snapshot.host->metadata : nullptr;
  throw RenderError(wanted.field.member("object"), wanted.object, "unknown object type");
}

std::string valueIn(const std::map<std::string, std::string>& map, const std::string& name) {
  const auto at = map.find(name);
  return at == map.end() ? "" : at->second;
}

}  // namespace

const kube::ObjectMeta& objectNamed(const Snapshot& snapshot, const ObjectField& wanted) {
  const kube::ObjectMeta* object = findObject(snapshot, wanted);
  if (!object) throw RenderError(wanted.field.member("object"), wanted.object, "there is no such object yet");
  return *object;
}

std::string annotationOf(const Snapshot& snapshot, const ObjectField& wanted, const std::string& name) {
  const kube::ObjectMeta* object = findObject(snapshot, wanted);
  if (!object) {
    throw RenderError(wanted.field.member("object"), wanted.object,
                      fmt::format("{} is nil but referenced in annotation {}", wanted.object, name));
  }
  return valueIn(object->annotations, name);
}

std::string labelOf(const Snapshot& snapshot, const ObjectField& wanted, const std::string& name) {
  return valueIn(objectNamed(snapshot, wanted).labels, name);
}

const std::string& macOfInterface(const Snapshot& snapshot, const Field& field, std::string_view name) {
  const auto* host = snapshot.host;
  if (!host || !host->status.hardware) throw RenderError(field, name, "NICs list not populated");
  const auto& nics = host->status.hardware->nics;
  const auto nic = std::ranges::find(nics, name, &api::Nic::name);
  if (nic == nics.end()) throw RenderError(field, name, fmt::format("NIC name not found {}", name));
  return nic->mac;
}

const PoolAddress& poolNamed(const Snapshot& snapshot, const Field& field, std::string_view name, const char* reason) {
  const auto pool = snapshot.pools.find(name);
  if (pool == snapshot.pools.end()) throw RenderError(field, name, reason);
  return pool->second;
}

}  // namespace ingot::cloudinit
