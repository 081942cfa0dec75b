#include "sim/system/config_drive.hpp"

#include "base/text.hpp"
#include "sim/firstboot/error.hpp"
#include "sim/ramdisk/partition_table.hpp"
#include "sim/system/iso9660.hpp"

namespace ingot::sim::system {

namespace {

constexpr std::string_view driveLabel = "config-2", driveFolder = "openstack/latest/";

std::optional<Iso> volumeAt(const Disk& disk, ramdisk::Region region) {
  return Iso::open([&disk, region](std::uint64_t offset, std::size_t length) {
    if (offset >= region.length) return std::string();
    return disk.read(region.offset + offset, std::min<std::uint64_t>(length, region.length - offset));
  });
}

json::Value parsedFile(const Iso& volume, const std::string& name) {
  const auto text = volume.file(std::string(driveFolder) + name);
  if (!text) return nullptr;
  try {
    return json::parse(*text);
  } catch (const json::ParseError& error) {
    throw firstboot::BootError(fmt::format("{} of the config drive is not JSON: {}", name, error.what()));
  }
}

firstboot::ConfigDrive contentOf(const Iso& volume) {
  auto metaData = parsedFile(volume, "meta_data.json");
  if (!metaData.is_object()) throw firstboot::BootError("the config drive has no meta_data.json");
  return {.metaData = std::move(metaData.get_object()),
          .userData = volume.file(std::string(driveFolder) + "user_data").value_or(""),
          .networkData = parsedFile(volume, "network_data.json")};
}

}  // namespace

std::optional<firstboot::ConfigDrive> findConfigDrive(const std::vector<Disk>& disks) {
  for (const auto& disk : disks) {
    if (!disk.bootable()) continue;
    for (const auto region : ramdisk::partitionsOf(disk))
      if (const auto volume = volumeAt(disk, region); volume && base::equalButForCase(volume->label(), driveLabel))
        return contentOf(*volume);
  }
  return std::nullopt;
}

}  // namespace ingot::sim::system
