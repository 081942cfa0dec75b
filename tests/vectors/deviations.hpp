// Where our answers differ from upstream's on purpose (tests/data/deviations.yaml).
#pragma once

#include "tests/vectors/vector_runner.hpp"

#include <map>
#include <vector>

namespace ingot::vectors {

// One entry stands for a line by its name, or for all lines whose name begins with a text, or whose error, input (as
// compact JSON) or output (a text) contains one. `ours` is part of our answer and no part of upstream's: a line that
// starts to differ in another way is no longer excused. One with `leavesOut` stands for all lines in which upstream's
// output, without these members, is ours: by the path of their object (as conversion tables write it), with their
// values.
struct Deviation {
  std::string name, nameBegins, errorContains, inContains, outContains, ours, reason;
  std::map<std::string, std::map<std::string, json::Value>> leavesOut;
};

class Deviations {
 public:
  // Throws base::InvalidInput with file and line for an entry without a reason or what is ours, and for unknown keys.
  static Deviations read(const std::string& path);

  // The entries that excuse the difference. Without a difference: those that name the line.
  [[nodiscard]] std::vector<const Deviation*> find(const std::string& file, const Line& line,
                                                   const Outcome& difference) const;
  [[nodiscard]] std::vector<const Deviation*> all() const;

 private:
  std::map<std::string, std::vector<Deviation>> byFile_;
};

}  // namespace ingot::vectors
