// What Ingot would have written, and how that compares with what Metal3's managers did.
#pragma once

#include "base/clock.hpp"
#include "coordinator/shadow/fields.hpp"
#include "coordinator/shadow/target.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot::coordinator::shadow {

enum class Outcome : std::uint8_t {
  agreed,       // they did the same
  differs,      // they did something else
  notDone,      // they have not done it in time
  notForeseen,  // they did what nobody here had decided, though there was time to
  withdrawn,    // it is not wanted any more, or somebody else than they changed it
  notCompared,  // they were too quick, or went further than the step that was decided here
};
[[nodiscard]] std::string_view nameOf(Outcome outcome);  // "not_done"

// Of an object that is made, or found made by them, "" is the path of its being there.
inline constexpr std::string_view itself;

// One write.
struct Decision {
  std::string controller, verb;  // create, update, delete
  ObjectId object;
  std::string kind;
  std::string version;  // of the object that it was decided on; "": there was none
  std::vector<Change> fields;
  std::string reason;
  std::vector<std::pair<std::string, std::string>> owners = {};  // kinds and names, of an object that is made
};

struct Difference {
  struct Field {
    std::string path;
    std::optional<std::string> was, theirs, ours;
    friend bool operator==(const Field&, const Field&) = default;
  };
  base::WallTime at{};
  base::MonoTime seenAt{};  // the same, whatever is done to the clock
  Outcome outcome = Outcome::differs;
  std::string controller = {};  // of ours
  ObjectId object = {};
  std::string kind = {};
  std::string manager = {};  // who of theirs; "": nobody, or not known
  std::string version = {};  // of the object as they left it
  std::string reason = {};   // of ours
  std::vector<Field> fields = {};
  std::size_t leftOut = 0;  // further fields
};

// Part of every id that is made up for an answer: what they did in its place cannot be told apart by it.
inline constexpr std::string_view madeUp = "5bad0000-";

// By the names in managed fields. One that is not known, "", may be theirs. Not "manager", which see.
[[nodiscard]] bool isOfMetal3(std::string_view manager);
// Cluster API's provider for Metal3, by a name of its own.
[[nodiscard]] bool isOfProvider(std::string_view manager);
// Programs of this name are in Metal3's images and in those of Cluster API itself. Whether the one that wrote an object
// of this resource may be of Metal3. `isProviderNamed`: Cluster API's provider has a name of its own here.
inline constexpr std::string_view anyManager = "manager";
[[nodiscard]] bool mayBeOfMetal3(std::string_view resource, bool isProviderNamed);

// Whose work objects of a resource are, for what nobody here has decided.
[[nodiscard]] std::string_view controllerOf(std::string_view resource);

// "BareMetalHost": of what is compared. Not as an object itself says, which may be of whoever runs a workload cluster.
[[nodiscard]] std::string_view kindOf(std::string_view resource);

// Objects that Metal3's managers make, and delete again, for other objects.
[[nodiscard]] bool isMadeByMetal3(std::string_view resource);

// What many machines have in common: what is named by it concerns none of them in particular.
[[nodiscard]] bool isOfMany(std::string_view resource);

// What is compared: of these the versions are followed.
[[nodiscard]] bool isCompared(std::string_view resource);
[[nodiscard]] std::vector<std::string_view> comparedResources();

}  // namespace ingot::coordinator::shadow
