#include "sim/system/iso9660.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "sim/ramdisk/gpt.hpp"

namespace ingot::sim::system {

namespace {

// ECMA-119: descriptors from sector 16 on, each a sector; a folder's records never cross one.
constexpr std::size_t isoSector = 2048, firstDescriptor = 16, mostDescriptors = 16;
constexpr char primary = 1, supplementary = 2, terminator = '\xff';
enum DescriptorAt { standardIdAt = 1, labelAt = 40, escapesAt = 88, rootAt = 156 };
enum RecordAt { extentAt = 2, lengthAt = 10, flagsAt = 25, nameLengthAt = 32, recordNameAt = 33 };
constexpr std::size_t shortestRecord = 34, labelLength = 32;
constexpr std::uint64_t longestFolder = 1u << 20, longestFile = 16u << 20;
constexpr char folderFlag = 2;

bool isJoliet(std::string_view descriptor) {
  const auto escapes = descriptor.substr(escapesAt, 3);
  return escapes == "%/@" || escapes == "%/C" || escapes == "%/E";
}

// Big-endian units of 16 bits; what is not ASCII becomes a question mark.
std::string fromUcs2(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
    text += bytes[i] == 0 && static_cast<unsigned char>(bytes[i + 1]) < 0x80 ? bytes[i + 1] : '?';
  return text;
}

// A whole record, or "" at the end of a sector's records. Throws for one that reaches out of the folder.
std::string_view recordAt(std::string_view folder, std::size_t at) {
  const auto length = static_cast<unsigned char>(folder[at]);
  if (length == 0) return {};
  const auto record = folder.substr(at, length);
  const bool whole = record.size() == length && length >= shortestRecord &&
                     recordNameAt + static_cast<unsigned char>(record[nameLengthAt]) <= length;
  if (!whole) throw base::Error("a folder of the ISO volume is damaged");
  return record;
}

}  // namespace

std::optional<Iso> Iso::open(Read read) {
  Iso iso(std::move(read));
  bool found = false;
  for (std::size_t i = 0; i < mostDescriptors; ++i) {
    const auto descriptor = iso.read_((firstDescriptor + i) * isoSector, isoSector);
    if (descriptor.size() < isoSector || descriptor.substr(standardIdAt, 5) != "CD001") break;
    if (descriptor[0] == terminator) break;
    const auto root = std::string_view(descriptor).substr(rootAt, shortestRecord);
    if (descriptor[0] == primary && !found) {
      found = true;
      iso.label_ = base::trimmed(descriptor.substr(labelAt, labelLength));
      iso.root_ = entryOf(root);
    } else if (descriptor[0] == supplementary && isJoliet(descriptor)) {
      iso.joliet_ = true;
      iso.root_ = entryOf(root);
    }
  }
  if (!found) return std::nullopt;
  return iso;
}

Iso::Entry Iso::entryOf(std::string_view record) {
  return {.offset = ramdisk::readLittle(record, extentAt, 4) * isoSector,
          .length = ramdisk::readLittle(record, lengthAt, 4),
          .isFolder = (record[flagsAt] & folderFlag) != 0};
}

// "USER_DATA.;1" is user_data to who has no better name for it.
std::string Iso::nameOf(std::string_view record) const {
  const auto raw = record.substr(recordNameAt, static_cast<unsigned char>(record[nameLengthAt]));
  auto name = joliet_ ? fromUcs2(raw) : std::string(raw);
  name.resize(std::min(name.find(';'), name.size()));
  if (name.ends_with('.')) name.pop_back();
  return name;
}

std::optional<Iso::Entry> Iso::find(const Entry& folder, std::string_view name) const {
  if (!folder.isFolder) return std::nullopt;
  if (folder.length > longestFolder) throw base::Error("a folder of the ISO volume is too large");
  const auto records = read_(folder.offset, folder.length);
  for (std::size_t at = 0; at < records.size();) {
    const auto record = recordAt(records, at);
    if (record.empty()) {
      at = (at / isoSector + 1) * isoSector;
      continue;
    }
    if (base::equalButForCase(nameOf(record), name)) return entryOf(record);
    at += record.size();
  }
  return std::nullopt;
}

std::optional<std::string> Iso::file(std::string_view path) const {
  auto entry = root_;
  while (true) {
    const auto slash = std::min(path.find('/'), path.size());
    const auto below = find(entry, path.substr(0, slash));
    if (!below) return std::nullopt;
    entry = *below;
    if (slash == path.size()) break;
    path.remove_prefix(slash + 1);
  }
  if (entry.isFolder) return std::nullopt;
  if (entry.length > longestFile) throw base::Error("a file of the ISO volume is too large");
  auto bytes = read_(entry.offset, entry.length);
  if (bytes.size() < entry.length) throw base::Error("the ISO volume is cut off");
  return bytes;
}

}  // namespace ingot::sim::system
