#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish::resources {

namespace {

constexpr std::string_view importAction = "Actions/Oem/EID_674_Manager.ImportSystemConfiguration";
constexpr base::Duration noImageWithin = std::chrono::seconds(5);  // of a power change
constexpr base::Duration showsAfter = std::chrono::seconds(2);

std::vector<MediaSlot*> slotsOf(Call& call) {
  if (call.traits.has(Habit::hasOneDrive)) return {&call.machine.cd};
  if (call.traits.has(Habit::secondDriveTakesCds)) return {&call.machine.floppy, &call.machine.cd};
  return {&call.machine.cd, &call.machine.floppy};
}

MediaSlot* slotOf(Call& call) {
  for (auto* slot : slotsOf(call))
    if (slot->id == call.ids.at(0)) return slot;
  return nullptr;
}

bool isHttp(std::string_view url) { return url.starts_with("http://") || url.starts_with("https://"); }

bool isResting(const Call& call) {
  return call.traits.has(Habit::leavesMediaAfterPower) &&
         std::min(call.machine.sinceOn(), call.machine.sinceOff()) < noImageWithin;
}

Reply notNow() {
  return error(400, "iLO.2.14.InvalidOperationForSystemState",
               "The operation was not successful due to the current power state.");
}

std::optional<Reply> whyNotTaken(const Call& call, const MediaSlot& slot, std::string_view image) {
  const auto& traits = call.traits;
  const auto& machine = call.machine;
  const auto& body = call.body.get_object();
  if (!isHttp(image) || (traits.has(Habit::takesHttpsOnly) && !image.starts_with("https://")))
    return valueNotInList("Image", image);
  if (traits.has(Habit::secondDriveIsForUploads) && slot.id == machine.floppy.id)
    return aboutProperty("PropertyNotWritable", "Image", "The drive takes what is uploaded.");
  for (const auto* name : {"Inserted", "WriteProtected"})
    if (traits.has(Habit::flagsAreReadOnly) && body.contains(name))
      return aboutProperty("PropertyNotWritable", name, fmt::format("The property {} is a read only property.", name));
  if (traits.has(Habit::namesTransferProtocol) && !body.contains("TransferProtocolType"))
    return missing("VirtualMedia.InsertMedia", "TransferProtocolType");
  if (isResting(call)) return notNow();
  if (slot.inserted())
    return error(400, "ResourceInUse", fmt::format("The drive {} already holds {}.", slot.id, slot.image));
  return std::nullopt;
}

Reply put(Call& call, MediaSlot& slot, std::string_view image) {
  if (auto refusal = whyNotTaken(call, slot, image)) return std::move(*refusal);
  slot.image = image;
  slot.filledAt = call.runtime.clock.now();
  return noContent();
}

json::Array typesOf(const Call& call, const MediaSlot& slot) {
  if (call.traits.has(Habit::secondDriveTakesCds)) return {"CD", "DVD", "USBStick"};
  return json::Array(slot.types.begin(), slot.types.end());
}

}  // namespace

Reply managers(Call& call) {
  return ok(collection(call.path, "Manager", "Manager Collection", {std::string(managerPath)}));
}

Reply manager(Call& call) {
  auto body = resource(managerPath, "Manager.v1_18_0.Manager", "1", "BMC of " + call.machine.name());
  body["ManagerType"] = "BMC";
  body["UUID"] = call.machine.spec().uuid;
  body["Model"] = call.traits.bmcModel;
  body["FirmwareVersion"] = call.machine.firmware.at("BMC");
  body["DateTime"] = base::formatTime(call.runtime.clock.wall());
  body["DateTimeLocalOffset"] = "+00:00";
  body["PowerState"] = "On";
  body["Status"] = healthy();
  if (!call.traits.has(Habit::mediaAreOfSystem)) body["VirtualMedia"] = link(virtualMediaPath);
  if (call.traits.has(Habit::logsAreOfManager)) body["LogServices"] = link(logServicesPath);
  if (call.traits.has(Habit::importsProfiles))
    body["Actions"] = {{"Oem",
                        {{"OemManager.v1_4_0#OemManager.ImportSystemConfiguration",
                          {{"target", fmt::format("{}/{}", managerPath, importAction)}}}}}};
  body["Links"] = {{"ManagerForServers", json::Array{link(systemPath)}},
                   {"ManagerForChassis", json::Array{link(chassisPath)}}};
  return ok(std::move(body));
}

Reply virtualMedia(Call& call) {
  std::vector<std::string> members;
  for (const auto* slot : slotsOf(call)) members.push_back(fmt::format("{}/{}", call.path, slot->id));
  return ok(collection(call.path, "VirtualMedia", "Virtual Media", members));
}

Reply mediaSlot(Call& call) {
  const auto* slot = slotOf(call);
  if (!slot) return notFound(call.path);
  auto body = resource(call.path, "VirtualMedia.v1_6_0.VirtualMedia", slot->id, "Virtual " + slot->id);
  body["MediaTypes"] = typesOf(call, *slot);
  body["Image"] = slot->image.empty() ? json::Value() : json::Value(slot->image);
  body["ImageName"] = slot->image.substr(slot->image.rfind('/') + 1);
  const bool isLate =
      call.traits.has(Habit::insertedShowsLate) && call.runtime.clock.now() < slot->filledAt + showsAfter;
  body["Inserted"] = slot->inserted() && !isLate;
  body["ConnectedVia"] = slot->inserted() ? "URI" : "NotConnected";
  body["WriteProtected"] = slot->writeProtected;
  body["TransferMethod"] = "Stream";
  body["TransferProtocolType"] = slot->image.starts_with("https") ? "HTTPS" : "HTTP";
  const auto actions = fmt::format("{}/Actions/VirtualMedia.", call.path);
  if (!call.traits.has(Habit::mediaByPatchOnly))
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
  if (image) return put(call, *slot, *image);
  slot->image.clear();
  return noContent();
}

Reply insertMedia(Call& call) {
  auto* slot = slotOf(call);
  if (!slot || call.traits.has(Habit::mediaByPatchOnly)) return notFound(call.path);
  const auto image = json::stringAt(call.body, {"Image"});
  call.action = "insert-media";
  if (!image) return missing("VirtualMedia.InsertMedia", "Image");
  call.detail = std::string(*image);
  return put(call, *slot, *image);
}

Reply ejectMedia(Call& call) {
  auto* slot = slotOf(call);
  if (!slot || call.traits.has(Habit::mediaByPatchOnly)) return notFound(call.path);
  if (call.traits.has(Habit::ejectWantsBody) && !call.hasBody)
    return error(415, "iLO.2.14.UnsupportedMediaType", "The body of the request is missing.");
  if (isResting(call)) return notNow();
  call.action = "eject-media";
  call.detail = slot->image;
  slot->image.clear();
  return noContent();
}

}  // namespace ingot::sim::redfish::resources
