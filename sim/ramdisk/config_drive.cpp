#include "base/base64.hpp"
#include "base/error.hpp"
#include "json/codec.hpp"
#include "sim/ramdisk/image_writer.hpp"

#include <zlib.h>

namespace ingot::sim::ramdisk {

namespace {

constexpr std::size_t largest = 64u << 20;
constexpr int gzipWindow = 15 + 16;  // zlib's way to say "with a gzip header"

std::string gunzip(std::string_view packed) {
  z_stream stream{};
  if (::inflateInit2(&stream, gzipWindow) != Z_OK) throw base::Error("zlib does not start");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib only reads it
  stream.avail_in = static_cast<uInt>(packed.size());

  std::string out;
  int result = Z_OK;
  while (result == Z_OK && out.size() <= largest) {
    const auto before = out.size();
    out.resize(before + (256u << 10));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = static_cast<uInt>(out.size() - before);
    result = ::inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
  }
  ::inflateEnd(&stream);
  if (result != Z_STREAM_END) throw base::Error("the config drive is not gzip, or larger than 64 MiB");
  return out;
}

}  // namespace

std::string unpackConfigDrive(std::string_view packed) {
  std::string text(packed);
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
  const auto zipped = base::fromBase64(text);
  if (!zipped) throw base::Error("the config drive is not base64");
  return gunzip(*zipped);
}

}  // namespace ingot::sim::ramdisk
