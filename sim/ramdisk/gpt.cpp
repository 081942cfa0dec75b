#include "sim/ramdisk/gpt.hpp"

#include "base/error.hpp"

#include <zlib.h>

namespace ingot::sim::ramdisk {

namespace {

// Offsets in the header and in an entry (UEFI specification, GUID Partition Table).
constexpr std::size_t headerSize = 92;
enum HeaderAt {
  crcAt = 16,
  myLbaAt = 24,
  otherLbaAt = 32,
  firstUsableAt = 40,
  lastUsableAt = 48,
  entriesLbaAt = 72,
  countAt = 80,
  entrySizeAt = 84,
  entriesCrcAt = 88
};
enum EntryAt { typeAt = 0, guidAt = 16, firstAt = 32, lastAt = 40, nameAt = 56 };
constexpr std::size_t nameUnits = 36;

// Linux file system data, 0FC63DAF-8483-4772-8E79-3D69D8477DE4, as it lies on disk.
constexpr std::string_view linuxData{"\xaf\x3d\xc6\x0f\x83\x84\x72\x47\x8e\x79\x3d\x69\xd8\x47\x7d\xe4", 16};

std::uint32_t crcOf(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

bool isFree(std::string_view entry) { return entry.substr(0, 16).find_first_not_of('\0') == std::string_view::npos; }

std::string nameOf(std::string_view entry) {
  std::string name;
  for (std::size_t i = 0; i < nameUnits; ++i) {
    const auto unit = readLittle(entry, nameAt + 2 * i, 2);
    if (unit == 0) break;
    name.push_back(unit < 0x80 ? static_cast<char>(unit) : '?');
  }
  return name;
}

std::uint64_t sectorsFor(std::size_t bytes) { return (bytes + sectorSize - 1) / sectorSize; }

}  // namespace

std::uint64_t readLittle(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

void writeLittle(std::string& bytes, std::size_t at, std::size_t width, std::uint64_t value) {
  for (std::size_t i = 0; i < width; ++i) bytes.at(at + i) = static_cast<char>(value >> (8 * i) & 0xff);
}

std::optional<Gpt> Gpt::read(const Disk& disk) {
  Gpt table;
  table.header_ = disk.read(sectorSize, headerSize);
  if (!table.header_.starts_with("EFI PART")) return std::nullopt;
  std::string unsealed = table.header_;
  writeLittle(unsealed, crcAt, 4, 0);
  if (crcOf(unsealed) != readLittle(table.header_, crcAt, 4))
    throw base::Error(disk.path() + ": the GPT header is damaged");

  table.entrySize_ = static_cast<std::uint32_t>(readLittle(table.header_, entrySizeAt, 4));
  const auto count = readLittle(table.header_, countAt, 4);
  if (table.entrySize_ < 128 || table.entrySize_ > 4096 || count == 0 || count > 4096)
    throw base::Error(disk.path() + ": the GPT header is implausible");
  table.entries_ = disk.read(readLittle(table.header_, entriesLbaAt, 8) * sectorSize, count * table.entrySize_);
  if (crcOf(table.entries_) != readLittle(table.header_, entriesCrcAt, 4))
    throw base::Error(disk.path() + ": the GPT entries are damaged");
  table.diskSectors_ = disk.size() / sectorSize;
  return table;
}

std::size_t Gpt::count() const { return entries_.size() / entrySize_; }

std::optional<Gpt::Partition> Gpt::find(std::string_view name) const {
  for (std::size_t i = 0; i < count(); ++i)
    if (!isFree(entry(i)) && nameOf(entry(i)) == name)
      return Partition{readLittle(entry(i), firstAt, 8), readLittle(entry(i), lastAt, 8)};
  return std::nullopt;
}

std::vector<Gpt::Partition> Gpt::partitions() const {
  std::vector<Partition> all;
  for (std::size_t i = 0; i < count(); ++i)
    if (!isFree(entry(i))) all.push_back({readLittle(entry(i), firstAt, 8), readLittle(entry(i), lastAt, 8)});
  return all;
}

void Gpt::add(std::string_view name, Partition where) {
  for (std::size_t i = 0; i < count(); ++i) {
    if (!isFree(entry(i))) continue;
    std::string fresh(entrySize_, '\0');
    fresh.replace(typeAt, 16, linuxData);
    // Unique on this disk and repeatable: the disk's own GUID and the slot.
    fresh.replace(guidAt, 16, header_.substr(56, 16));
    fresh[guidAt + 15] = static_cast<char>(fresh[guidAt + 15] ^ static_cast<char>(0x80 + i));
    writeLittle(fresh, firstAt, 8, where.first);
    writeLittle(fresh, lastAt, 8, where.last);
    for (std::size_t c = 0; c < name.size() && c < nameUnits; ++c)
      writeLittle(fresh, nameAt + 2 * c, 2, static_cast<unsigned char>(name[c]));
    entries_.replace(i * entrySize_, entrySize_, fresh);
    return;
  }
  throw base::Error("the GPT has no free entry");
}

std::uint64_t Gpt::lastUsed() const {
  std::uint64_t last = readLittle(header_, firstUsableAt, 8) - 1;
  for (std::size_t i = 0; i < count(); ++i)
    if (!isFree(entry(i))) last = std::max(last, readLittle(entry(i), lastAt, 8));
  return last;
}

std::uint64_t Gpt::lastUsable() const { return diskSectors_ - sectorsFor(entries_.size()) - 2; }

std::string Gpt::header(bool backup) const {
  const auto last = diskSectors_ - 1;
  std::string sealed = header_;
  writeLittle(sealed, myLbaAt, 8, backup ? last : 1);
  writeLittle(sealed, otherLbaAt, 8, backup ? 1 : last);
  writeLittle(sealed, lastUsableAt, 8, lastUsable());
  writeLittle(sealed, entriesLbaAt, 8,
              backup ? last - sectorsFor(entries_.size()) : readLittle(header_, entriesLbaAt, 8));
  writeLittle(sealed, entriesCrcAt, 4, crcOf(entries_));
  writeLittle(sealed, crcAt, 4, 0);
  writeLittle(sealed, crcAt, 4, crcOf(sealed));
  sealed.resize(sectorSize, '\0');
  return sealed;
}

void Gpt::write(Disk& disk) const {
  const auto last = diskSectors_ - 1;
  disk.write((last - sectorsFor(entries_.size())) * sectorSize, entries_);
  disk.write(last * sectorSize, header(true));
  disk.write(readLittle(header_, entriesLbaAt, 8) * sectorSize, entries_);
  disk.write(sectorSize, header(false));

  std::string protective = disk.read(0, sectorSize);  // its one entry spans the disk
  writeLittle(protective, 446 + 12, 4, std::min<std::uint64_t>(last, 0xffffffff));
  disk.write(0, protective);
}

}  // namespace ingot::sim::ramdisk
