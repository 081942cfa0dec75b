// An object as the leaves that are compared, each by its path, so that two of them can be told apart field by field.
//   spec.image.url, metadata.annotations[metal3.io/BareMetalHost], status.conditions[Ready].status,
//   metadata.finalizers[x]
// Left out is what differs though nobody has decided otherwise (docs/decisions/0035): what the server keeps for itself,
// points in time, wordings for people, counts of tries, and what Ingot has for itself. Hardware is one leaf, a digest.
#pragma once

#include "json/value.hpp"

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ingot::coordinator::shadow {

using Fields = std::map<std::string, std::string>;  // values as JSON

// Paths and values of all leaves have more than kLargestFields bytes: each path tells all the names above it, and who
// runs a workload cluster chooses these.
struct TooLarge : std::runtime_error {
  TooLarge() : std::runtime_error("the object has too many fields with too long names") {}
};
inline constexpr std::size_t kLargestFields = 8u << 20;

// Throws TooLarge.
[[nodiscard]] Fields fieldsOf(const json::Value& object);
[[nodiscard]] std::optional<Fields> boundedFieldsOf(const json::Value& object);  // nullopt: too large

struct Change {
  std::string path;
  std::optional<std::string> was, is;  // nullopt: not there
  friend bool operator==(const Change&, const Change&) = default;
};
[[nodiscard]] std::vector<Change> changes(const Fields& before, const Fields& after);

// Which deletes an object: "true" once it is to go.
inline constexpr std::string_view leaving = "metadata.deletionTimestamp";

// The object of a Secret with each value replaced by a digest that says whether two are the same, and nothing else;
// `salt` is the process's own, so that nobody can try values. Others stay as they are.
void hideSecrets(json::Value& object, std::string_view salt);

// Leaves of a Node its metadata, flat, and what Metal3 writes of its spec: the rest is large, and of whoever runs the
// workload cluster.
void keepCompared(json::Value& object, std::string_view resource);

// A host's hardware becomes a digest: it is the greatest part of an object, and compared as a whole.
void digestHardware(json::Value& object);

// "data.password" and the like: of Secrets only.
[[nodiscard]] bool isHidden(std::string_view resource, std::string_view path);

// Of managed fields: who has written what so far, as digests.
using Writes = std::vector<std::size_t>;
[[nodiscard]] Writes writesIn(const json::Value& object);
// Of managed fields, who wrote `path` last. What nobody owns, because it was removed, is of who wrote something since
// `before`, of the version before; nullopt: nobody did, for a write that only removes leaves no trace. "": there are no
// managed fields.
[[nodiscard]] std::optional<std::string> managerOf(const json::Value& object, std::string_view path,
                                                   const Writes& before = {});

// For people: why the object is as it is, of what its status says: an error, or a condition that is not as it should
// be.
[[nodiscard]] std::string reasonIn(const json::Value& before, const json::Value& after);

}  // namespace ingot::coordinator::shadow
