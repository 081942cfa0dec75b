// Keeps somebody informed of every object of one kind, for ever: list, watch, resume, and list again when the server
// has forgotten where we were. One watcher serves one kind in one namespace (or all).
//
//            ┌────────────── 410 Gone ──────────────────────┐
//            ▼                                              │
//         listing ──► watching ──(stream ended or broke)──► resuming ──► watching …
//
// Failures in a row are spaced by back-off. Also listed again: when resuming fails for long, when the server was silent
// for longer than its bookmarks allow, and when its versions go backwards (it was restored from a backup). A page that
// cannot be read, because it is too long or has too much in it, is asked for in smaller ones until a list is complete:
// objects may be anybody's, and 500 of the largest are more than an answer may have.
#pragma once

#include "base/backoff.hpp"
#include "base/runtime.hpp"
#include "kube/client/api.hpp"

#include <string>

namespace ingot::kube {

// A kind that the server does not serve as we know it.
struct Unserved {
  enum class Why : std::uint8_t {
    notInstalled,   // it does not know the kind, which may be so (WatcherOptions::mayBeAbsent): there are no objects
    missing,        // it does not know a kind that is needed, or any more one that it has served
    otherVersions,  // it has the kind, and what objects there are, but not in our version
  };
  Why why = Why::missing;
  std::string problem;  // for people
};

// Told in the order of the server's history. A list replaces everything told before, once listFinished() has ended.
class WatchSink {
 public:
  virtual ~WatchSink() = default;
  virtual void listStarted() = 0;  // also when a list starts over
  virtual void listed(json::Value object) = 0;
  [[nodiscard]] virtual base::Task<void> listFinished(std::string resourceVersion) = 0;
  virtual void changed(json::Value object) = 0;                   // created or modified
  virtual void deleted(json::Value object) = 0;                   // its last state, or what names it
  virtual void advanced(const std::string& resourceVersion) = 0;  // everything up to here was told
  // As listed() and changed(), of an object that is nested too deep to be read (client/documents.hpp): `object` has
  // what names it. Who does not know what to do without it takes the answer for one that cannot be read:
  // Error{badAnswer}.
  virtual void listedTooDeep(const json::Value& object);
  virtual void changedTooDeep(const json::Value& object);
  // Told at each look. What was listed before is as old as that list. A list that comes after all ends it.
  virtual void notServed(const Unserved&) {}
  // A list or a watch has failed; the watcher goes on by itself. For sinks that show it: nobody needs to act.
  virtual void failed(const std::exception&) {}
};

struct WatcherOptions {
  std::string namespace_, labelSelector, fieldSelector;
  // The server may not serve the kind (its CRD is not installed): that is as good as no objects, and looked at again
  // each half minute. One that it serves in other versions only is waited for instead. Once it was served, it is waited
  // for in both cases, and what is known stays known: one server of several may be behind.
  bool mayBeAbsent = false;
  std::int64_t pageSize = 500;                             // to begin with
  unsigned mostPages = 0;                                  // of one list, none smaller; 0: as many as the server has
  base::Duration shortestWatch = std::chrono::minutes(5);  // the server ends a watch after 1–2 × this
  base::Duration idle = std::chrono::seconds(150);  // silence (bookmarks come each minute) that means a dead peer
  base::Backoff backoff{std::chrono::milliseconds(500), std::chrono::seconds(30)};
};

class Watcher {
 public:
  // `api` and `sink` outlive run().
  Watcher(base::Runtime runtime, Api& api, Resource resource, WatcherOptions options, WatchSink& sink);

  // Until cancelled. Never throws anything else.
  [[nodiscard]] base::Task<void> run();

  enum class State { listing, watching, resuming };
  [[nodiscard]] State state() const { return state_; }

 private:
  [[nodiscard]] base::Task<State> list();
  [[nodiscard]] base::Task<void> listPages();
  [[nodiscard]] base::Task<void> unserved(Error notFound);
  [[nodiscard]] base::Task<Unserved> lookFor();
  void tellUnserved(const Unserved& unserved);
  [[nodiscard]] base::Task<Page> readPage(std::string next);
  [[nodiscard]] base::Task<State> watch();
  [[nodiscard]] base::Task<void> follow();
  void take(WatchEvent event);
  void succeeded() { failures_ = 0; }
  // The first failure in a row costs nothing, later ones wait.
  [[nodiscard]] base::Task<void> failed(std::string what);

  base::Runtime runtime_;
  Api& api_;
  Resource resource_;
  WatcherOptions options_;
  WatchSink& sink_;
  State state_ = State::listing;
  std::string resourceVersion_;  // everything up to here was told
  std::int64_t pageSize_;
  unsigned failures_ = 0;  // in a row
  bool seen_ = false;      // the kind was served once
  bool absent_ = false;    // it was not installed, and the sink knows
  std::string unserved_;   // what was logged of that
};

}  // namespace ingot::kube
