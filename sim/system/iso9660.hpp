// Files of an ISO 9660 volume: with Joliet's names where it has them, else with its plain ones.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::sim::system {

class Iso {
 public:
  // Bytes of the volume; what lies behind its end may be anything.
  using Read = std::function<std::string(std::uint64_t offset, std::size_t length)>;

  // nullopt when no volume begins there.
  [[nodiscard]] static std::optional<Iso> open(Read read);

  [[nodiscard]] const std::string& label() const { return label_; }
  // "openstack/latest/user_data", without regard to case; nullopt when there is none. Throws base::Error for a volume
  // that is damaged and a file of more than 16 MiB.
  [[nodiscard]] std::optional<std::string> file(std::string_view path) const;

 private:
  struct Entry {
    std::uint64_t offset = 0, length = 0;
    bool isFolder = false;
  };
  explicit Iso(Read read) : read_(std::move(read)) {}
  [[nodiscard]] static Entry entryOf(std::string_view record);
  [[nodiscard]] std::string nameOf(std::string_view record) const;
  [[nodiscard]] std::optional<Entry> find(const Entry& folder, std::string_view name) const;

  Read read_;
  std::string label_;
  Entry root_;
  bool joliet_ = false;
};

}  // namespace ingot::sim::system
