// A process in shadow: the fence around all that it does, the book of what it would have done, and how that is told:
// the log, metrics, GET /shadow/report.
#pragma once

#include "base/sync.hpp"
#include "coordinator/shadow/book.hpp"
#include "coordinator/shadow/fence.hpp"
#include "coordinator/shadow/lines_a_minute.hpp"
#include "net/server.hpp"

namespace ingot::coordinator::shadow {

class Shadow final : public net::HttpHandler {
 public:
  static constexpr std::string_view path = "/shadow/report";

  // `below` and `metrics` outlive this.
  Shadow(const base::Runtime& runtime, net::HttpTransport& below, base::Metrics& metrics, Limits limits);

  // Everything that this process says to others goes through it.
  [[nodiscard]] Fence& transport() { return fence_; }
  [[nodiscard]] const Fence& transport() const { return fence_; }
  [[nodiscard]] const Book& book() const { return book_; }

  // Lets time pass in the book. Until cancelled.
  [[nodiscard]] base::Task<void> run();

  // Runs `work`, the controllers, anew each time when they should forget what they have in mind. Until it fails, or
  // cancelled.
  [[nodiscard]] base::Task<void> inTerms(std::function<base::Task<void>()> work);

  // The report, to whoever is let in.
  [[nodiscard]] bool isAuthenticated(const net::ServerRequest&) const override { return false; }
  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  [[nodiscard]] Listener listener();
  void tell(const Difference& difference);
  [[nodiscard]] base::Task<void> endTerm(base::AbortSource& term);

  base::Runtime runtime_;
  base::Metrics& metrics_;
  base::WallTime since_;
  std::string salt_;
  LinesAMinute lines_, tenantLines_;  // of the management cluster; of workload clusters
  Book book_;
  Fence fence_;
};

}  // namespace ingot::coordinator::shadow
