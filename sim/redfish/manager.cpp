#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish::resources {

namespace {

MediaSlot* slotOf(Call& call) {
  const auto id = call.ids.at(0);
  for (auto* slot : {&call.machine.cd, &call.machine.floppy})
    if (slot->id == id) return slot;
  return nullptr;
}

bool isHttp(std::string_view url) { return url.starts_with("http://") || url.starts_with("https://"); }

Reply put(MediaSlot& slot, std::string_view image) {
  if (!isHttp(image)) return valueNotInList("Image", image);
  if (slot.inserted())
    return error(400, "ResourceInUse", fmt::format("The drive {} already holds {}.", slot.id, slot.image));
  slot.image = image;
  return noContent();
}

}  // namespace

Reply managers(Call& call) {
  return ok(collection(call.path, "Manager", "Manager Collection", {std::string(managerPath)}));
}

Reply manager(Call& call) {
  auto body = resource(managerPath, "Manager.v1_18_0.Manager", "1", "BMC of " + call.machine.name());
  body["ManagerType"] = "BMC";
  body["UUID"] = call.machine.spec().uuid;
  body["Model"] = "Simulated BMC";
  body["FirmwareVersion"] = call.machine.firmware.at("BMC");
  body["DateTime"] = base::formatTime(call.runtime.clock.wall());
  body["DateTimeLocalOffset"] = "+00:00";
  body["PowerState"] = "On";
  body["Status"] = healthy();
  body["VirtualMedia"] = link(fmt::format("{}/VirtualMedia", managerPath));
  body["Links"] = {{"ManagerForServers", json::Array{link(systemPath)}},
                   {"ManagerForChassis", json::Array{link(chassisPath)}}};
  return ok(std::move(body));
}

Reply virtualMedia(Call& call) {
  return ok(collection(
      call.path, "VirtualMedia", "Virtual Media",
      {fmt::format("{}/{}", call.path, call.machine.cd.id), fmt::format("{}/{}", call.path, call.machine.floppy.id)}));
}

Reply mediaSlot(Call& call) {
  const auto* slot = slotOf(call);
  if (!slot) return notFound(call.path);
  auto body = resource(call.path, "VirtualMedia.v1_6_0.VirtualMedia", slot->id, "Virtual " + slot->id);
  json::Array types;
  for (const auto& type : slot->types) types.emplace_back(type);
  body["MediaTypes"] = std::move(types);
  body["Image"] = slot->image.empty() ? json::Value() : json::Value(slot->image);
  body["ImageName"] = slot->image.substr(slot->image.rfind('/') + 1);
  body["Inserted"] = slot->inserted();
  body["ConnectedVia"] = slot->inserted() ? "URI" : "NotConnected";
  body["WriteProtected"] = slot->writeProtected;
  body["TransferMethod"] = "Stream";
  body["TransferProtocolType"] = slot->image.starts_with("https") ? "HTTPS" : "HTTP";
  const auto actions = fmt::format("{}/Actions/VirtualMedia.", call.path);
  body["Actions"] = {{"#VirtualMedia.InsertMedia",
                      {{"target", actions + "InsertMedia"},
                       {"TransferProtocolType@Redfish.AllowableValues", json::Array{"HTTP", "HTTPS"}}}},
                     {"#VirtualMedia.EjectMedia", {{"target", actions + "EjectMedia"}}}};
  auto reply = ok(std::move(body));
  reply.headers.set("Allow", "GET, PATCH");
  return reply;
}

// As Lenovo's BMCs want it: {"Image": url, "Inserted": true}, or null to eject.
Reply patchMediaSlot(Call& call) {
  auto* slot = slotOf(call);
  if (!slot) return notFound(call.path);
  const auto image = json::stringAt(call.body, {"Image"});
  call.action = image ? "insert-media" : "eject-media";
  call.detail = image ? std::string(*image) : slot->image;
  if (image) return put(*slot, *image);
  slot->image.clear();
  return noContent();
}

Reply insertMedia(Call& call) {
  auto* slot = slotOf(call);
  if (!slot) return notFound(call.path);
  const auto image = json::stringAt(call.body, {"Image"});
  call.action = "insert-media";
  if (!image) return missing("VirtualMedia.InsertMedia", "Image");
  call.detail = std::string(*image);
  return put(*slot, *image);
}

Reply ejectMedia(Call& call) {
  auto* slot = slotOf(call);
  if (!slot) return notFound(call.path);
  call.action = "eject-media";
  call.detail = slot->image;
  slot->image.clear();
  return noContent();
}

}  // namespace ingot::sim::redfish::resources
