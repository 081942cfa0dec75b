// A GUID partition table in memory: read from a disk, changed, written back in both places.
#pragma once

#include "sim/machine/disk.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ingot::sim::ramdisk {

class Gpt {
 public:
  // nullopt when the disk has none. Throws base::Error for one that is damaged.
  [[nodiscard]] static std::optional<Gpt> read(const Disk& disk);

  struct Partition {
    std::uint64_t first = 0, last = 0;  // sectors, both inclusive
  };
  [[nodiscard]] std::optional<Partition> find(std::string_view name) const;
  [[nodiscard]] std::vector<Partition> partitions() const;
  // Behind every other partition, `first` to `last`. Throws base::Error when no entry is free.
  void add(std::string_view name, Partition where);

  [[nodiscard]] std::uint64_t lastUsed() const;    // the last sector that a partition covers
  [[nodiscard]] std::uint64_t lastUsable() const;  // with the backup table at the disk's end

  // Primary at the beginning, backup at the end of the disk.
  void write(Disk& disk) const;

 private:
  [[nodiscard]] std::size_t count() const;
  [[nodiscard]] std::string_view entry(std::size_t i) const {
    return std::string_view(entries_).substr(i * entrySize_, entrySize_);
  }
  [[nodiscard]] std::string header(bool backup) const;

  std::string header_;  // the 92 bytes of the primary header
  std::string entries_;
  std::uint32_t entrySize_ = 128;
  std::uint64_t diskSectors_ = 0;
};

constexpr std::uint64_t sectorSize = 512;

// Little-endian integers inside a block of bytes.
[[nodiscard]] std::uint64_t readLittle(std::string_view bytes, std::size_t at, std::size_t width);
void writeLittle(std::string& bytes, std::size_t at, std::size_t width, std::uint64_t value);

}  // namespace ingot::sim::ramdisk
