// One stored object: immutable, shared by the cache, the history and every reader.
#pragma once

#include "base/packed_text.hpp"
#include "json/value.hpp"

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot::apiserver {

using Revision = std::int64_t;  // metadata.resourceVersion: one counter for the whole store

struct ObjectKey {
  std::string space;  // namespace; empty for cluster-scoped kinds
  std::string name;
  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

struct OwnerLink {
  std::string uid, apiVersion, kind, name;
  bool blocks = false;  // blockOwnerDeletion
  friend bool operator==(const OwnerLink&, const OwnerLink&) = default;
};

struct Object {
  ObjectKey key;
  Revision revision = 0;
  // Compact JSON; its first two members are always "apiVersion" (the storage version) and "kind", in this order.
  base::PackedText body;

  // Read out of the body once, for selectors, garbage collection and deletion.
  std::string uid;
  std::vector<std::pair<std::string, std::string>> labels;  // sorted by key
  std::vector<OwnerLink> owners;
  bool deleting = false;    // has a deletionTimestamp
  bool rowIsOlder = false;  // the disk still holds it in an older form: it was made anew by makePrepared()

  [[nodiscard]] const std::string* label(std::string_view name) const;
};

using ObjectPtr = std::shared_ptr<const Object>;

// What may be stored: everybody who reads it (a client whose list it is in, the next start) must be able to.
inline constexpr std::size_t kObjectBytes = 3u << 20;  // as kube-apiserver bounds a request
inline constexpr std::size_t kObjectDepth = 100;       // lists and watch lines wrap it, and readers stop at 128
struct ObjectLimits {
  std::size_t bytes = kObjectBytes;
  std::size_t depth = kObjectDepth;
};
// For what the server adds itself: an object at its limits can still be marked as deleted.
inline constexpr ObjectLimits kReadable{json::ParseLimits{}.bytes, json::ParseLimits{}.depth};

class ObjectError final : public base::Error {
 public:
  enum class Code { tooLarge, tooDeep, notText };
  ObjectError(Code code, const std::string& text) : Error(text), code_(code) {}
  [[nodiscard]] Code code() const { return code_; }

 private:
  Code code_;
};

// Reads `body` and fills in everything else; throws base::Error when it is not an object with metadata.
[[nodiscard]] ObjectPtr makeObject(std::string body);

// The object that `document` describes, with `revision` as its metadata.resourceVersion (0: none). `document` is left
// with its members in the stored order. Throws ObjectError when it is past `limits` or holds what is no UTF-8.
[[nodiscard]] ObjectPtr makeObject(json::Value& document, Revision revision, ObjectLimits limits = kReadable);

// What a stored object is under the rules of now, in memory alone: nobody wrote it, so its revision stays.
[[nodiscard]] ObjectPtr makePrepared(json::Value& document, Revision revision);

// The document again. Throws json::ParseError when the body is damaged.
[[nodiscard]] json::Value documentOf(const Object& object);

// The same in memory of its own that is given back all at once, when the last value in it has gone: several times
// cheaper for a document that is read, edited and written within one request.
[[nodiscard]] json::Value transientDocumentOf(const Object& object);

}  // namespace ingot::apiserver
