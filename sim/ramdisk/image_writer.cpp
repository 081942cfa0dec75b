#include "sim/ramdisk/image_writer.hpp"

#include "base/file.hpp"
#include "base/subprocess.hpp"
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

base::Task<std::string> resolveChecksum(HttpClients& clients, ImageRequest request) {
  if (!isUrl(request.checksum)) co_return request.checksum;
  const auto response = co_await clients.send("GET", request.checksum);
  if (!response.ok()) throw DeployError(fmt::format("{} answers HTTP {}", request.checksum, response.status));
  const auto file = request.url.substr(request.url.rfind('/') + 1);
  const auto found = findChecksum(response.body, file);
  co_return found.empty() ? firstWord(response.body) : found;
}

// Downloads to the disk's beginning; the bytes' number and, in `checksum`, their digest.
base::Task<std::uint64_t> download(HttpClients& clients, std::string url, Disk& disk, Digest* digest) {
  auto stream = co_await clients.open(url);
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

ImageRequest readImageRequest(const json::Value& args, const json::Value& node) {
  const auto* info = json::find(args, {"image_info"});
  const auto* urls = json::arrayAt(args, {"image_info", "urls"});
  if (!info || !urls || urls->empty() || !urls->front().is_string()) throw DeployError("image_info has no urls");
  ImageRequest request{.url = std::string(urls->front().get_string()),
                       .diskFormat = json::textAt(*info, {"disk_format"}),
                       .algorithm = json::textAt(*info, {"os_hash_algo"}),
                       .checksum = json::textAt(*info, {"os_hash_value"}),
                       .rootDevice = rootDeviceHints(node),
                       .configDrive = json::textAt(args, {"configdrive"})};
  if (request.checksum.empty()) request.checksum = json::textAt(*info, {"checksum"});
  return request;
}

base::Task<std::uint64_t> writeImage(base::Runtime runtime, HttpClients& clients, Machine& machine,
                                     ImageRequest request) {
  Disk* disk = chooseRootDevice(machine, request.rootDevice);
  if (!disk) throw DeployError("no disk fits the root device hints " + json::serialize(request.rootDevice));

  const auto expected = co_await resolveChecksum(clients, request);
  const auto algorithm = request.algorithm.empty() ? algorithmOf(expected) : request.algorithm;
  std::optional<Digest> digest;
  if (!expected.empty()) digest.emplace(algorithm);

  disk->eraseAll();
  auto size = co_await download(clients, request.url, *disk, digest ? &*digest : nullptr);
  const auto actual = digest ? digest->hex() : std::string();
  if (actual != expected)
    throw DeployError(
        fmt::format("Image failed to verify against checksum. location: {}; image ID: {}; image checksum: {}; "
                    "verification checksum: {}",
                    disk->path(), request.url, expected, actual));

  if (request.diskFormat == "qcow2") size = co_await unpackQcow2(runtime, *disk, size);
  if (!request.configDrive.empty()) putConfigDrive(*disk, request.configDrive);
  co_return size;
}

}  // namespace ingot::sim::ramdisk
