// A disk of a simulated server: a sparse file, made at the first write.
#pragma once

#include "sim/machine/spec.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ingot::sim {

class Disk {
 public:
  Disk(DiskSpec spec, std::string path) : spec_(std::move(spec)), path_(std::move(path)) {}

  [[nodiscard]] const DiskSpec& spec() const { return spec_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const { return static_cast<std::uint64_t>(spec_.sizeMiB) << 20; }

  // Holds a boot sector signature.
  [[nodiscard]] bool bootable() const;

  // All throw base::Error naming the file; a write past the end is one, too.
  void write(std::uint64_t offset, std::string_view bytes);
  [[nodiscard]] std::string read(std::uint64_t offset, std::size_t length) const;  // holes read as zeros
  void eraseTables();  // the first and last MiB: partition tables
  void eraseAll();

 private:
  DiskSpec spec_;
  std::string path_;
};

}  // namespace ingot::sim
