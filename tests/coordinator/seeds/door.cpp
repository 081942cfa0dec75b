#include "tests/coordinator/seeds/door.hpp"

#include "tests/coordinator/seeds/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ingot::tests::seeds {

namespace {

// Longer than any client waits.
constexpr base::Duration kSilence = std::chrono::minutes(10);

// Of a watch: more than a bookmark.
bool isNews(std::string_view chunk) {
  constexpr std::array kinds = {R"("type":"ADDED")", R"("type":"MODIFIED")", R"("type":"DELETED")"};
  return std::ranges::any_of(kinds, [&](std::string_view kind) { return chunk.find(kind) != std::string_view::npos; });
}

// Passes on what the API tells when nothing holds it back.
class Held final : public net::Responder {
 public:
  Held(Traffic& traffic, std::string resource, net::Responder& out)
      : traffic_(traffic), resource_(std::move(resource)), out_(out) {}
  base::Task<void> send(net::HttpResponse response) override { return out_.send(std::move(response)); }
  base::Task<void> begin(int status, net::Headers headers) override { return out_.begin(status, std::move(headers)); }
  base::Task<void> write(std::string chunk) override {
    co_await traffic_.untilTold(resource_, isNews(chunk));
    co_await out_.write(std::move(chunk));
  }
  base::Task<void> end() override { return out_.end(); }
  void abort() override { out_.abort(); }

 private:
  Traffic& traffic_;
  std::string resource_;
  net::Responder& out_;
};

// Keeps nothing of an answer but how it ended.
struct Status final : net::Responder {
  int code = 500;
  base::Task<void> send(net::HttpResponse response) override {
    code = response.status;
    co_return;
  }
  base::Task<void> begin(int status, net::Headers) override {
    code = status;
    co_return;
  }
  base::Task<void> write(std::string) override { co_return; }
  base::Task<void> end() override { co_return; }
  void abort() override {}
};

net::HttpResponse failure(int code, std::string_view reason) {
  return {.status = code,
          .headers = {{"Content-Type", "application/json"}},
          .body = fmt::format(R"({{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"{}",)"
                              R"("message":"struck by a seed","code":{}}})",
                              reason, code)};
}

net::HttpResponse conflictOf(const net::ServerRequest& request) {
  return failure(409, request.method == "POST" ? "AlreadyExists" : "Conflict");
}

std::string aboutOf(const net::ServerRequest& request) {
  const std::string name = placeOf(request.path()).name;
  return name.empty() ? request.body : fmt::format("{} {}", name, request.body);
}

}  // namespace

base::Task<void> Door::handle(net::ServerRequest request, net::Responder& out) {
  if (traffic_.isDead()) co_return out.abort();
  if (!author_.empty()) traffic_.use(rightFor(request));
  if (isWatch(request)) {
    Held held(traffic_, placeOf(request.path()).resource, out);
    co_return co_await api_.handle(std::move(request), held);
  }
  const auto write = nameOfWrite(author_, request);
  if (!write) co_return co_await api_.handle(std::move(request), out);
  const std::string about = placeOf(request.path()).name;
  if (traffic_.meanwhile) co_await traffic_.meanwhile(Moment::before, *write, about);
  const auto blow = traffic_.pass(*write, aboutOf(request));
  if (blow)
    co_await strike(blow, std::move(request), out);
  else
    co_await api_.handle(std::move(request), out);
  if (traffic_.meanwhile) co_await traffic_.meanwhile(Moment::after, *write, about);
}

base::Task<void> Door::strike(std::shared_ptr<Blow> blow, net::ServerRequest request, net::Responder& out) {
  const std::string resource = placeOf(request.path()).resource;
  const auto ended = [&](bool done = true) { traffic_.end(*blow, done); };
  switch (blow->pair.fault) {
    case Fault::diesBefore:
      traffic_.die();
      ended();
      co_return out.abort();
    case Fault::diesAfter: {
      const bool done = co_await carryOut(std::move(request));
      traffic_.die();
      ended(done);
      co_return out.abort();
    }
    case Fault::conflictBefore: {
      const bool isPatch = request.method == "PATCH";
      const bool done = !isPatch || co_await meddle(request);
      if (isPatch)
        co_await api_.handle(std::move(request), out);
      else
        co_await out.send(failure(409, "Conflict"));
      co_return ended(done);
    }
    case Fault::conflictAfter: {
      const auto answer = conflictOf(request);
      const bool done = co_await carryOut(std::move(request));
      co_await out.send(answer);
      co_return ended(done);
    }
    case Fault::errorBefore: co_await failOn(out, false); co_return ended();
    case Fault::errorAfter: {
      const bool done = co_await carryOut(std::move(request));
      co_await failOn(out, true);
      co_return ended(done);
    }
    case Fault::silentBefore: co_await keepSilent(blow); co_return out.abort();
    case Fault::silentAfter:
      if (co_await carryOut(std::move(request)))
        co_await keepSilent(blow);
      else
        ended(false);
      co_return out.abort();
    case Fault::late:
    case Fault::diesLate: {
      if (blow->pair.fault == Fault::diesLate) traffic_.die();
      const auto after = std::chrono::milliseconds(traffic_.random().below(20'000));
      traffic_.doLater(blow->pair.write, carryOutLate(blow, std::move(request), after));
      co_return out.abort();
    }
    case Fault::staleBefore:
      traffic_.holdBack(resource, std::move(blow));
      co_return co_await api_.handle(std::move(request), out);
    case Fault::staleAfter:
      co_await api_.handle(std::move(request), out);
      co_return traffic_.holdBackAnother(resource, std::move(blow));
  }
}

base::Task<bool> Door::carryOut(net::ServerRequest request) {
  Status answer;
  co_await api_.handle(std::move(request), answer);
  co_return answer.code < 300;
}

// What the API says to it is part of being late.
base::Task<void> Door::carryOutLate(std::shared_ptr<Blow> blow, net::ServerRequest request, base::Duration after) {
  co_await traffic_.clock().sleepFor(after);
  traffic_.tell("what was late is done now");
  static_cast<void>(co_await carryOut(std::move(request)));
  traffic_.end(*blow, blow->pair.fault == Fault::late || !traffic_.isDead());
}

// Until nobody waits any more; who dies has not waited.
base::Task<void> Door::keepSilent(std::shared_ptr<Blow> blow) {
  const Traffic::Silence silence(traffic_);
  try {
    co_await traffic_.clock().sleepFor(kSilence);
  } catch (const base::Cancelled&) {
    traffic_.end(*blow, !traffic_.isDead());
    throw;
  }
  traffic_.end(*blow, true);
}

// Somebody else's write to the same object. False: it is gone.
base::Task<bool> Door::meddle(net::ServerRequest request) {
  request.target = std::string(request.path());
  if (request.target.ends_with("/status")) request.target.resize(request.target.size() - 7);
  request.body = fmt::format(R"({{"metadata":{{"annotations":{{"meddler.test/n":"{}"}}}}}})", traffic_.random().next());
  request.headers.set("Content-Type", "application/merge-patch+json");
  request.headers.set("Content-Length", std::to_string(request.body.size()));
  co_return co_await carryOut(std::move(request));
}

base::Task<void> Door::failOn(net::Responder& out, bool done) {
  switch (traffic_.random().below(done ? 3 : 4)) {
    case 0: co_return out.abort();
    case 1: co_return co_await out.send(failure(500, "InternalError"));
    case 2: co_return co_await out.send(failure(504, "Timeout"));
    default: {
      auto answer = failure(429, "TooManyRequests");
      answer.headers.set("Retry-After", "1");
      co_return co_await out.send(std::move(answer));
    }
  }
}

}  // namespace ingot::tests::seeds
