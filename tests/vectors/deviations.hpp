// Where our answers differ from upstream's on purpose (tests/data/deviations.yaml).
#pragma once

#include "tests/vectors/vector_runner.hpp"

#include <map>
#include <vector>

namespace ingot::vectors {

// One entry stands for a line by its name, or for all lines whose name begins with a text, or whose error, input (as
// compact JSON) or output (a text) contains one. `ours` is part of our answer and no part of upstream's: a line that
// starts to differ in another way is no longer excused.
struct Deviation {
  std::string name, nameBegins, errorContains, inContains, outContains, ours, reason;
};

class Deviations {
 public:
  // Throws base::InvalidInput with file and line for an entry without `ours` or a reason, and for unknown keys.
  static Deviations read(const std::string& path);

  // The entries that excuse the difference. Without a difference: those that name the line.
  [[nodiscard]] std::vector<const Deviation*> find(const std::string& file, const Line& line,
                                                   const Outcome& difference) const;
  [[nodiscard]] std::vector<const Deviation*> all() const;

 private:
  std::map<std::string, std::vector<Deviation>> byFile_;
};

}  // namespace ingot::vectors
