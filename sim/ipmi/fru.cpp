#include "sim/ipmi/fru.hpp"

#include <numeric>

namespace ingot::sim::ipmi {

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t block = 8;          // areas begin and end at multiples of it
constexpr std::size_t longestField = 63;  // its length has six bits
constexpr std::uint8_t latin1 = 0xc0, noMoreFields = 0xc1;

// So that all bytes add up to nothing.
void close(Bytes& area) {
  const auto sum = std::accumulate(area.begin(), area.end(), 0u);
  area.push_back(static_cast<std::uint8_t>(0x100 - sum % 0x100));
}

void addField(Bytes& area, std::string_view text) {
  text = text.substr(0, longestField);
  area.push_back(text.empty() ? 0 : static_cast<std::uint8_t>(latin1 | text.size()));
  area.insert(area.end(), text.begin(), text.end());
}

Bytes productArea(const MachineSpec& spec) {
  Bytes area{1, 0, 0};  // version, blocks, English
  const std::string_view fields[] = {spec.manufacturer, spec.model, "", "", spec.serial, "", ""};
  for (const auto field : fields) addField(area, field);
  area.push_back(noMoreFields);
  area.resize((area.size() + block) / block * block - 1);
  area[1] = static_cast<std::uint8_t>((area.size() + 1) / block);
  close(area);
  return area;
}

}  // namespace

std::vector<std::uint8_t> fruData(const MachineSpec& spec) {
  Bytes all{1, 0, 0, 0, 1, 0, 0};  // version, where areas begin: the product's after this block
  close(all);
  const auto product = productArea(spec);
  all.insert(all.end(), product.begin(), product.end());
  return all;
}

}  // namespace ingot::sim::ipmi
