#include "sim/firstboot/gzip.hpp"

#include <zlib.h>

namespace ingot::sim::firstboot {

namespace {
constexpr std::size_t piece = 256u << 10;
constexpr int gzipWindow = 15 + 16;  // zlib's way to say "with a gzip header"
}  // namespace

std::optional<std::string> gunzip(std::string_view packed, std::size_t largest) {
  z_stream stream{};
  if (::inflateInit2(&stream, gzipWindow) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib only reads it
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  int result = Z_OK;
  while (result == Z_OK && out.size() <= largest) {
    const auto before = out.size();
    out.resize(before + piece);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = static_cast<uInt>(piece);
    result = ::inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
  }
  ::inflateEnd(&stream);
  if (result != Z_STREAM_END || out.size() > largest) return std::nullopt;
  return out;
}

}  // namespace ingot::sim::firstboot
