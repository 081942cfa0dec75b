// A small Kubernetes API in memory. Any single call can be made to fail, before or after it took effect.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "net/server.hpp"
#include "tests/kube/fake_store.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ingot::tests {

struct Fault {
  enum class Kind {
    answer,     // the given HTTP status, nothing is done
    cutBefore,  // the connection breaks, nothing was done
    cutAfter,   // it was done, but the answer never comes
    hang,       // no answer at all, nothing is done
  };
  Kind kind = Kind::answer;
  int status = 500;
  std::string retryAfter{};
  std::string body{};
};

class FakeApi final : public net::HttpHandler {
 public:
  explicit FakeApi(base::Runtime runtime) : runtime_(std::move(runtime)), changed_(runtime_.executor) {}

  FakeStore store;
  // Asked for each request; a fault is what happens instead.
  std::function<std::optional<Fault>(const net::ServerRequest&)> fault;
  std::vector<std::string> log;                       // "PATCH /apis/…/status"
  std::size_t pageLimit = 0;                          // of lists in pages: never longer; 0: as asked
  std::function<void()> betweenPages;                 // called before each continued page
  std::function<std::string(std::string)> rewritten;  // of lists and of lines of a watch: what goes out instead
  base::Duration listDelay{};                         // a list shows what there is, then takes so long to arrive

  // Wakes the watches after changes made through `store` directly.
  void changed() { changed_.notifyAll(); }
  void breakWatches(bool withinALine = false);
  void sendBookmarks();
  // Events are held back until it is let go.
  void holdWatches(bool held);
  [[nodiscard]] std::size_t watches() const { return watches_; }
  [[nodiscard]] std::size_t count(std::string_view prefix) const;  // of logged requests

  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  struct Target;
  [[nodiscard]] base::Task<void> answer(const net::ServerRequest& request, const Target& target, net::Responder& out);
  [[nodiscard]] base::Task<void> watch(const Target& target, net::Responder& out);
  [[nodiscard]] base::Task<bool> tell(const Target& target, std::uint64_t& position, net::Responder& out);
  [[nodiscard]] json::Value perform(const net::ServerRequest& request, const Target& target);
  [[nodiscard]] json::Value list(const Target& target);
  [[nodiscard]] json::Value bookmark(const Target& target) const;

  base::Runtime runtime_;
  base::Notifier changed_;
  std::uint64_t breaks_ = 0, bookmarks_ = 0;
  bool withinALine_ = false, held_ = false;
  std::size_t watches_ = 0;
};

}  // namespace ingot::tests
