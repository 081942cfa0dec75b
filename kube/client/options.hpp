// What callers may ask for beside the object itself.
#pragma once

#include "base/clock.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace ingot::kube {

struct ListQuery {
  std::string namespace_;  // "": all
  std::string labelSelector, fieldSelector;
  std::string resourceVersion;  // "": the newest
  std::int64_t pageSize = 500;
  // Objects that are nested too deep to be read are named in Page::tooDeep; otherwise they are an Error{badAnswer}.
  bool nameTooDeep = false;
};

struct WatchQuery {
  std::string namespace_, labelSelector, fieldSelector;
  std::string resourceVersion;  // events after this one
  bool bookmarks = true;
  std::int64_t timeoutSeconds = 0;  // 0: the server's own
};

enum class PatchType { merge, json, strategic, apply };

struct WriteOptions {
  std::string fieldManager;
  std::string fieldValidation;  // Strict | Warn | Ignore; "": the server's default
  bool dryRun = false;
  bool force = false;  // apply only
};

enum class Propagation { background, foreground, orphan };

struct DeleteOptions {
  std::string uid, resourceVersion;  // preconditions; "": none
  std::optional<Propagation> propagation;
  bool dryRun = false;
};

}  // namespace ingot::kube
