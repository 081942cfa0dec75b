#include "cli/show/text_table.hpp"

#include "cli/words/plain_text.hpp"

#include <algorithm>

namespace ingot::cli {
namespace {

constexpr std::size_t kGap = 3;

// Code points: good enough for names, versions and addresses.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

const std::string& shown(const std::string& cell) {
  static const std::string nothing = "-";
  return cell.empty() ? nothing : cell;
}

Row plain(const Row& row) {
  Row cells;
  cells.reserve(row.size());
  for (const std::string& cell : row) cells.push_back(plainCell(cell));
  return cells;
}

void widen(std::vector<std::size_t>& widths, const Row& row) {
  widths.resize(std::max(widths.size(), row.size()));
  for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(shown(row[i])));
}

std::string lineOf(const Row& row, const std::vector<std::size_t>& widths, std::size_t indent) {
  std::string line(indent, ' ');
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string& cell = shown(row[i]);
    line += cell;
    if (i + 1 < row.size()) line.append(widths[i] - width(cell) + kGap, ' ');
  }
  return line + "\n";
}

}  // namespace

void TextTable::add(const Row& row) { rows_.push_back(plain(row)); }

std::string TextTable::text(std::size_t indent, bool withHeads) const {
  std::vector<std::size_t> widths;
  if (withHeads) widen(widths, heads_);
  for (const Row& row : rows_) widen(widths, row);
  std::string out = withHeads ? lineOf(heads_, widths, indent) : "";
  for (const Row& row : rows_) out += lineOf(row, widths, indent);
  return out;
}

GrowingTable::GrowingTable(Row heads, bool withHeads) : heads_(std::move(heads)), headsDue_(withHeads) {
  if (withHeads) widen(widths_, heads_);
}

std::string GrowingTable::line(const Row& cells) {
  const Row row = plain(cells);
  widen(widths_, row);
  std::string out = std::exchange(headsDue_, false) ? lineOf(heads_, widths_, 0) : "";
  return out + lineOf(row, widths_, 0);
}

}  // namespace ingot::cli
