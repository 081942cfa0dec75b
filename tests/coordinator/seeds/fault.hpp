// What goes wrong at a write of a controller, and where that has happened.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
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
  diesLate,        // the process, and it is done a while later, when another one is at work
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

// One fault of a seed, which strikes once.
struct Blow {
  Pair pair;
  int left;               // writes of its name until then
  bool begun = false;     // a write has met it
  bool done = false;      // and it has come to what it is
  bool isWanted = false;  // the seed is there for it
};

// The faults of one seed: each strikes once, at the nth write of its name.
class Fates {
 public:
  explicit Fates(Coverage& coverage) : coverage_(coverage) {}

  void arm(Pair pair, int nth, bool isWanted = false) {
    armed_.push_back(std::make_shared<Blow>(Blow{.pair = std::move(pair), .left = nth, .isWanted = isWanted}));
  }
  // What strikes this write; nullptr: nothing. Who strikes says how it ended.
  [[nodiscard]] std::shared_ptr<Blow> pass(const std::string& write);
  // Only then it counts. What has come to nothing strikes the next write of its name.
  void end(Blow& blow, bool done);
  [[nodiscard]] std::string text() const;

 private:
  Coverage& coverage_;
  std::vector<std::shared_ptr<Blow>> armed_;
};

}  // namespace ingot::tests::seeds
