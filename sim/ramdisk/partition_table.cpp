#include "sim/ramdisk/partition_table.hpp"

#include "base/error.hpp"
#include "sim/ramdisk/gpt.hpp"

namespace ingot::sim::ramdisk {

namespace {

constexpr std::uint64_t alignment = (1u << 20) / sectorSize;  // sectors
constexpr std::uint64_t configDriveBytes = 64u << 20;         // what the real agent gives a config drive
constexpr std::string_view configName = "config-2";
constexpr std::size_t mbrEntries = 446, mbrEntrySize = 16, mbrEntryCount = 4;
constexpr char linuxType = '\x83';

std::uint64_t configDriveSectors(std::uint64_t bytes) {
  return (std::max(bytes, configDriveBytes) + sectorSize - 1) / sectorSize;
}

// The last aligned run of sectors before `end` (exclusive). Throws when it would reach into `lastUsed`.
Gpt::Partition placeAtEnd(const Disk& disk, std::uint64_t end, std::uint64_t lastUsed, std::uint64_t bytes) {
  const auto sectors = configDriveSectors(bytes);
  if (end <= sectors || (end - sectors) / alignment * alignment <= lastUsed)
    throw base::Error(fmt::format("{}: no room for a config drive of {} MiB behind the image", disk.path(),
                                  sectors * sectorSize >> 20));
  const auto first = (end - sectors) / alignment * alignment;
  return {first, first + sectors - 1};
}

Region regionOf(Gpt::Partition partition) {
  return {partition.first * sectorSize, (partition.last - partition.first + 1) * sectorSize};
}

Region inGpt(Disk& disk, Gpt table, std::uint64_t bytes) {
  const auto existing = table.find(configName);
  if (existing && regionOf(*existing).length >= bytes) {
    table.write(disk);
    return regionOf(*existing);
  }
  const auto where = placeAtEnd(disk, table.lastUsable() + 1, table.lastUsed(), bytes);
  table.add(configName, where);
  table.write(disk);
  return regionOf(where);
}

Region inMbr(Disk& disk, std::string sector, std::uint64_t bytes) {
  std::uint64_t lastUsed = 0;
  std::size_t freeAt = 0;
  for (std::size_t i = 0; i < mbrEntryCount; ++i) {
    const auto at = mbrEntries + i * mbrEntrySize;
    const auto length = readLittle(sector, at + 12, 4);
    if (sector[at + 4] == 0 || length == 0) {
      if (freeAt == 0) freeAt = at;
    } else {
      lastUsed = std::max(lastUsed, readLittle(sector, at + 8, 4) + length - 1);
    }
  }
  if (freeAt == 0) throw base::Error(disk.path() + ": all four entries of the MBR are taken");

  const auto where = placeAtEnd(disk, disk.size() / sectorSize, lastUsed, bytes);
  sector.replace(freeAt, mbrEntrySize, mbrEntrySize, '\0');
  sector[freeAt + 4] = linuxType;
  sector.replace(freeAt + 1, 3, "\xfe\xff\xff");  // beyond what cylinders can say: the sector numbers count
  sector.replace(freeAt + 5, 3, "\xfe\xff\xff");
  writeLittle(sector, freeAt + 8, 4, where.first);
  writeLittle(sector, freeAt + 12, 4, where.last - where.first + 1);
  disk.write(0, sector);
  return regionOf(where);
}

}  // namespace

Region makeConfigPartition(Disk& disk, std::uint64_t bytes) {
  if (auto table = Gpt::read(disk)) return inGpt(disk, std::move(*table), bytes);
  auto sector = disk.read(0, sectorSize);
  if (!sector.ends_with("\x55\xaa"))
    throw base::Error(disk.path() + ": the image has no partition table to add a config drive to");
  return inMbr(disk, std::move(sector), bytes);
}

std::vector<Region> partitionsOf(const Disk& disk) {
  std::vector<Region> all;
  if (const auto table = Gpt::read(disk)) {
    for (const auto partition : table->partitions()) all.push_back(regionOf(partition));
    return all;
  }
  const auto sector = disk.read(0, sectorSize);
  if (!sector.ends_with("\x55\xaa")) return all;
  for (std::size_t i = 0; i < mbrEntryCount; ++i) {
    const auto at = mbrEntries + i * mbrEntrySize;
    const auto length = readLittle(sector, at + 12, 4);
    if (sector[at + 4] != 0 && length != 0)
      all.push_back({readLittle(sector, at + 8, 4) * sectorSize, length * sectorSize});
  }
  return all;
}

}  // namespace ingot::sim::ramdisk
