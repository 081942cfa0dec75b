#include "sim/ramdisk/image_writer.hpp"

#include "base/file.hpp"
#include "base/subprocess.hpp"
#include "sim/ramdisk/config_drive.hpp"
#include "sim/ramdisk/digest.hpp"
#include "sim/ramdisk/partition_table.hpp"
#include "sim/ramdisk/root_device.hpp"

#include <unistd.h>

namespace ingot::sim::ramdisk {

namespace {

constexpr base::Duration idleLimit = std::chrono::seconds(60);

std::string firstWord(std::string_view text) { return std::string(text.substr(0, text.find_first_of(" \t\r\n"))); }

bool isUrl(std::string_view text) { return text.starts_with("http://") || text.starts_with("https://"); }

// The checksum of `file` in what md5sum and friends write; the only word of a file that has one.
std::string findChecksum(std::string_view sums, std::string_view file) {
  while (!sums.empty()) {
    const auto end = std::min(sums.find('\n'), sums.size());
    const auto line = sums.substr(0, end);
    if (line.ends_with(file)) return firstWord(line);
    sums.remove_prefix(std::min(end + 1, sums.size()));
  }
  return {};
}

base::Task<std::string> resolveChecksum(Origins& origins, ImageOrder order) {
  if (!isUrl(order.checksum)) co_return order.checksum;
  const auto response = co_await origins.send("GET", order.checksum);
  if (!response.ok()) throw DeployError(fmt::format("{} answers HTTP {}", order.checksum, response.status));
  const auto file = order.url.substr(order.url.rfind('/') + 1);
  const auto found = findChecksum(response.body, file);
  co_return found.empty() ? firstWord(response.body) : found;
}

// Downloads to the disk's beginning; the bytes' number and, in `checksum`, their digest.
base::Task<std::uint64_t> download(Origins& origins, std::string url, Disk& disk, Digest* digest) {
  auto stream = co_await origins.open(url);
  if (stream->status() != 200) throw DeployError(fmt::format("{} answers HTTP {}", url, stream->status()));
  std::uint64_t written = 0;
  while (auto piece = co_await stream->next(idleLimit)) {
    if (digest) digest->add(*piece);
    disk.write(written, *piece);
    written += piece->size();
  }
  co_return written;
}

// qemu-img knows the format; the copy that it reads lies beside the disk.
base::Task<std::uint64_t> unpackQcow2(base::Runtime runtime, Disk& disk, std::uint64_t packedSize) {
  const std::string packed = disk.path() + ".qcow2";
  base::writeFileAtomically(packed, disk.read(0, packedSize));
  disk.eraseAll();
  auto runner = base::systemProcessRunner(runtime.executor, runtime.clock);
  const auto result = co_await runner->run(
      {.argv = {"qemu-img", "convert", "-O", "raw", packed, disk.path()}, .deadline = std::chrono::minutes(5)});
  ::unlink(packed.c_str());
  if (result.exitCode != 0) throw DeployError("qemu-img: " + result.standardError);
  co_return disk.size();
}

void putConfigDrive(Disk& disk, const std::string& packed) {
  const auto iso = unpackConfigDrive(packed);
  const auto where = makeConfigPartition(disk, iso.size());
  disk.write(where.offset, iso);
}

}  // namespace

ImageOrder readImageOrder(const json::Value& args, const json::Value& node) {
  const auto* info = json::find(args, {"image_info"});
  const auto* urls = json::arrayAt(args, {"image_info", "urls"});
  if (!info || !urls || urls->empty() || !urls->front().is_string()) throw DeployError("image_info has no urls");
  ImageOrder order{.url = std::string(urls->front().get_string()),
                   .diskFormat = json::textAt(*info, {"disk_format"}),
                   .algorithm = json::textAt(*info, {"os_hash_algo"}),
                   .checksum = json::textAt(*info, {"os_hash_value"}),
                   .rootDevice = rootDeviceHints(node),
                   .configDrive = json::textAt(args, {"configdrive"})};
  if (order.checksum.empty()) order.checksum = json::textAt(*info, {"checksum"});
  return order;
}

base::Task<std::uint64_t> writeImage(base::Runtime runtime, Origins& origins, Machine& machine, ImageOrder order) {
  Disk* disk = chooseRootDevice(machine, order.rootDevice);
  if (!disk) throw DeployError("no disk fits the root device hints " + json::serialize(order.rootDevice));

  const auto expected = co_await resolveChecksum(origins, order);
  const auto algorithm = order.algorithm.empty() ? algorithmOf(expected) : order.algorithm;
  std::optional<Digest> digest;
  if (!expected.empty()) digest.emplace(algorithm);

  disk->eraseAll();
  auto size = co_await download(origins, order.url, *disk, digest ? &*digest : nullptr);
  const auto actual = digest ? digest->hex() : std::string();
  if (actual != expected)
    throw DeployError(
        fmt::format("Image failed to verify against checksum. location: {}; image ID: {}; image checksum: {}; "
                    "verification checksum: {}",
                    disk->path(), order.url, expected, actual));

  if (order.diskFormat == "qcow2") size = co_await unpackQcow2(runtime, *disk, size);
  if (!order.configDrive.empty()) putConfigDrive(*disk, order.configDrive);
  co_return size;
}

}  // namespace ingot::sim::ramdisk
