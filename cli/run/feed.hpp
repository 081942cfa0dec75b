// Objects of one kind, or of two, as they are and as they change, across restarts of the server.
#pragma once

#include "base/sync.hpp"
#include "cli/run/session.hpp"
#include "kube/runtime/watcher.hpp"

#include <deque>
#include <functional>
#include <map>
#include <optional>

namespace ingot::cli {

struct Change {
  enum class What { present, changed, deleted, synced } what = What::present;
  json::Value object;  // its last state when deleted; nothing when synced
};

struct FeedQuery {
  kube::Resource resource;
  std::string namespace_;  // "": all
  std::string name;        // "": every one
  std::string selector;    // of labels
  // A second kind. Either need not be installed, one must be; which are is found out at the beginning.
  std::optional<kube::Resource> also = std::nullopt;
};

class Feed {
 public:
  // Returns true to end the feed.
  using See = std::function<bool(const Change&)>;

  // Tells `see` of every object that is there, then once `synced`, then of every change. True when `see` ended it,
  // false when `timeout` passed first. Throws kube::Error when the first look fails; later failures are told on
  // standard error and tried again, and when the server is still out of reach as `timeout` passes, that is thrown as a
  // Failure.
  [[nodiscard]] static base::Task<bool> follow(Session& session, FeedQuery query, std::optional<base::Duration> timeout,
                                               See see);
};

}  // namespace ingot::cli
