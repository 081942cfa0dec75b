// RFC 7396 merge patches (made and applied) and RFC 6902 JSON patches (applied).
#pragma once

#include "json/value.hpp"

namespace ingot::json {

// The smallest merge patch that turns `from` into `to`; an empty object when they are equal.
// (A member of `to` that is null cannot be expressed: it is removed instead.)
[[nodiscard]] Value mergePatch(const Value& from, const Value& to);

// As mergePatch, where `from` and `to` show only part of `raw` (what our structs know): items of a changed array keep
// the members of the raw item that `from` does not show. Items are matched by equality, then by their identifying
// member (type, name, key, uid, mac, id), then, if they have none, by any text they share.
// An object that `raw` lacks, or that is written at all, gets every member our encoding always writes: the server may
// require them.
[[nodiscard]] Value mergePatchKeeping(const Value& from, const Value& to, const Value& raw);

void applyMergePatch(Value& target, const Value& patch);
[[nodiscard]] inline bool isEmptyPatch(const Value& patch) { return patch.is_object() && patch.get_object().empty(); }

class PatchError final : public base::Error {
 public:
  enum class Code { malformed, missingPath, testFailed, overLimit };
  PatchError(Code code, const std::string& text) : Error(text), code_(code) {}
  [[nodiscard]] Code code() const { return code_; }

 private:
  Code code_;
};

struct JsonPatchOptions {
  // JSON text of all values together that are copied, or moved to a deeper place: a document that is copied into itself
  // doubles. kube-apiserver's own limit.
  std::size_t copied = 3u << 20;
  std::size_t depth = ParseLimits{}.depth;  // of the result, and of everything on the way to it
  // `replace` of a member that an object lacks adds it, as kube-apiserver's library does.
  bool replaceAdds = false;
};

// add, remove, replace, move, copy, test; all or nothing: `target` is unchanged when PatchError is thrown, whose text
// names the operation ("operation 2 (test /spec/online): ...").
void applyJsonPatch(Value& target, const Value& operations, JsonPatchOptions options = {});

}  // namespace ingot::json
