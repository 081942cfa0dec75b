#include "coordinator/shadow/shadow.hpp"

#include "base/cut_text.hpp"
#include "coordinator/shadow/report.hpp"

namespace ingot::coordinator::shadow {
namespace {

constexpr unsigned kLinesAMinute = 60, kTenantLinesAMinute = 20;
constexpr std::size_t kLongestFields = 4000;  // of a line
constexpr base::Duration kLooksEach = std::chrono::seconds(1);

}  // namespace

Shadow::Shadow(const base::Runtime& runtime, net::HttpTransport& below, base::Metrics& metrics, Limits limits)
    : runtime_(runtime.named("shadow")),
      metrics_(metrics),
      since_(runtime.clock.wall()),
      salt_(runtime_.random.uuid()),
      lines_(runtime_.clock, kLinesAMinute),
      tenantLines_(runtime_.clock, kTenantLinesAMinute),
      book_(runtime_.clock, salt_, limits, listener()),
      fence_(runtime_, below, book_, metrics, salt_) {
  metrics_.beforeExpose([this] {
    metrics_.gauge("ingot_shadow_pending", "Objects with decisions that wait for what Metal3's managers do")
        .set(static_cast<double>(book_.pending()));
  });
}

Listener Shadow::listener() {
  return {.counted =
              [this](const std::string& controller, Outcome outcome) {
                metrics_
                    .counter("ingot_shadow_decisions_total",
                             "Decisions in shadow, by what Metal3's managers did meanwhile",
                             {{"controller", controller}, {"outcome", std::string(nameOf(outcome))}})
                    .add();
              },
          .differs = [this](const Difference& difference) { tell(difference); }};
}

base::Task<void> Shadow::run() {
  while (true) {
    co_await runtime_.clock.sleepFor(kLooksEach);
    book_.look();
  }
}

base::Task<void> Shadow::inTerms(std::function<base::Task<void>()> work) {
  while (true) {
    base::AbortSource term;
    base::TaskGroup beside(runtime_.executor, runtime_.log);
    beside.spawn("end of the term", endTerm(term));
    std::exception_ptr failure;
    try {
      co_await term.run(work());
    } catch (...) {
      failure = std::current_exception();
    }
    co_await beside.close();
    if (failure && !term.aborted()) std::rethrow_exception(failure);
    book_.beginTerm();
    runtime_.log.info("in shadow: the controllers begin anew, for they have in mind what nobody has done");
  }
}

base::Task<void> Shadow::endTerm(base::AbortSource& term) {
  while (!book_.wantsNewTerm()) co_await runtime_.clock.sleepFor(kLooksEach);
  term.abort();
}

void Shadow::tell(const Difference& difference) {
  const auto leftOut = (difference.object.cluster.empty() ? lines_ : tenantLines_).next();
  if (!leftOut) return;
  if (*leftOut != 0) runtime_.log.warn("more differences than are logged, see the report", {{"count", *leftOut}});
  const auto document = documentOf(difference);
  const std::string fields = base::cutText(json::serialize(document.at("fields")), kLongestFields);
  runtime_.log.warn("Metal3 decided otherwise", {{"outcome", std::string(nameOf(difference.outcome))},
                                                 {"controller", difference.controller},
                                                 {"object", difference.object.text()},
                                                 {"manager", difference.manager},
                                                 {"fields", fields},
                                                 {"fieldsLeftOut", difference.leftOut},
                                                 {"reason", difference.reason}});
}

base::Task<void> Shadow::handle(net::ServerRequest, net::Responder& out) {
  const auto report = reportOf(book_, fence_.asked(), {.since = since_, .now = runtime_.clock.wall()});
  co_await out.send({.status = 200,
                     .headers = {{"Content-Type", "application/json"}, {"Cache-Control", "no-cache, private"}},
                     .body = json::serialize(report)});
}

}  // namespace ingot::coordinator::shadow
