// Columns of text, as kubectl lays them out: upper-case heads, three spaces between columns. Whatever is in a cell, a
// row is one line, and a cell one column.
#pragma once

#include <string>
#include <vector>

namespace ingot::cli {

using Row = std::vector<std::string>;

class TextTable {
 public:
  explicit TextTable(Row heads) : heads_(std::move(heads)) {}
  void add(const Row& row);
  [[nodiscard]] bool empty() const { return rows_.empty(); }

  // All lines, each ended; `indent` spaces in front. Empty cells show as "-", no line ends in spaces.
  [[nodiscard]] std::string text(std::size_t indent = 0, bool withHeads = true) const;

 private:
  Row heads_;
  std::vector<Row> rows_;
};

// Lines that come one by one must agree on their columns: widths only ever grow.
class GrowingTable {
 public:
  explicit GrowingTable(Row heads, bool withHeads = true);
  // The line, after the heads when it is the first.
  [[nodiscard]] std::string line(const Row& cells);

 private:
  Row heads_;
  std::vector<std::size_t> widths_;
  bool headsDue_;
};

}  // namespace ingot::cli
