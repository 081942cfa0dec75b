// What goes wrong at a write of a controller, and where that has happened.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::tests::seeds {

enum class Fault : std::uint8_t {
  diesBefore,      // the process, and the write is not done
  diesAfter,       // the process, and the write is done
  conflictBefore,  // somebody else writes to the object first
  conflictAfter,   // the write is done, and answered as a conflict: its second copy met the first
  errorBefore,     // an error, or a broken connection: nothing was done
  errorAfter,      // the same, but it was done
  silentBefore,    // no answer in time, nothing was done
  silentAfter,     // no answer in time, but it was done
  late,            // the connection breaks, and it is done a while later
  staleBefore,     // watches of its kind stand still from before it on
  staleAfter,      // watches of another kind stand still after it
};

[[nodiscard]] const std::vector<Fault>& everyFault();
[[nodiscard]] std::string_view text(Fault fault);

struct Pair {
  std::string write;  // see nameOfWrite
  Fault fault{};

  auto operator<=>(const Pair&) const = default;
  [[nodiscard]] std::string text() const;
};

// What all seeds of a run have met.
struct Coverage {
  std::map<std::string, int> writes;  // how often each was seen
  std::set<Pair> hit;
};

// The faults of one seed: each strikes once, at the nth write of its name.
class Fates {
 public:
  explicit Fates(Coverage& coverage) : coverage_(coverage) {}

  void arm(Pair pair, int nth) { armed_.push_back({std::move(pair), nth}); }
  // What strikes this write; nullptr: nothing.
  [[nodiscard]] const Fault* pass(const std::string& write);
  [[nodiscard]] std::string text() const;

 private:
  struct Armed {
    Pair pair;
    int left;
    bool struck = false;
  };

  Coverage& coverage_;
  std::vector<Armed> armed_;
};

}  // namespace ingot::tests::seeds
