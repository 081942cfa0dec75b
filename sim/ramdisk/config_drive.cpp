#include "base/base64.hpp"
#include "base/error.hpp"
#include "json/codec.hpp"
#include "sim/firstboot/gzip.hpp"
#include "sim/ramdisk/image_writer.hpp"

namespace ingot::sim::ramdisk {

std::string unpackConfigDrive(std::string_view packed) {
  std::string text(packed);
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
  const auto zipped = base::fromBase64(text);
  if (!zipped) throw base::Error("the config drive is not base64");
  auto drive = firstboot::gunzip(*zipped);
  if (!drive) throw base::Error("the config drive is not gzip, or larger than 64 MiB");
  return std::move(*drive);
}

}  // namespace ingot::sim::ramdisk
