#include "tests/kube/fake_api.hpp"

#include "net/url.hpp"

#include <fmt/format.h>

namespace ingot::tests {
namespace {

json::Value statusOf(const ApiFailure& f) {
  return json::Object{{"kind", "Status"},    {"apiVersion", "v1"},   {"metadata", json::Object()},
                      {"status", "Failure"}, {"message", f.message}, {"reason", f.reason},
                      {"code", f.code}};
}

net::HttpResponse jsonAnswer(int status, const json::Value& body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
}

std::string line(std::string_view type, const json::Value& object) {
  return json::serialize(json::Object{{"type", type}, {"object", object}}) + "\n";
}

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> out;
  for (std::size_t begin = 1; begin <= path.size();) {
    const auto end = std::min(path.find('/', begin), path.size());
    out.push_back(net::percentDecode(path.substr(begin, end - begin)));
    begin = end + 1;
  }
  return out;
}

// "/apis/GROUP", "/apis/GROUP/VERSION"
bool isDiscovery(std::string_view path) { return path.starts_with("/apis/") && split(path).size() <= 3; }

}  // namespace

struct FakeApi::Target {
  FakeStore::Id id;
  bool status = false;
  std::map<std::string, std::string> query;

  explicit Target(const net::ServerRequest& request) {
    auto parts = split(request.path());
    parts.erase(parts.begin(), parts.begin() + (parts.at(0) == "api" ? 2 : 3));
    const bool spaced = parts.size() >= 3 && parts[0] == "namespaces";
    if (spaced) {
      id.namespace_ = parts[1];
      parts.erase(parts.begin(), parts.begin() + 2);
    }
    id.plural = parts.at(0);
    if (parts.size() > 1) id.name = parts[1];
    status = parts.size() > 2 && parts[2] == "status";
    for (auto& [name, value] : net::parseQuery(request.query())) query[name] = value;
  }

  [[nodiscard]] std::string get(const std::string& name) const {
    const auto it = query.find(name);
    return it == query.end() ? "" : it->second;
  }
};

void FakeApi::breakWatches(bool withinALine) {
  withinALine_ = withinALine;
  ++breaks_;
  changed();
}

void FakeApi::sendBookmarks() {
  ++bookmarks_;
  changed();
}

void FakeApi::holdWatches(bool held) {
  held_ = held;
  changed();
}

std::size_t FakeApi::count(std::string_view prefix) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(log, [&](const std::string& l) { return l.starts_with(prefix); }));
}

base::Task<void> FakeApi::handle(net::ServerRequest request, net::Responder& out) {
  log.push_back(request.method + " " + request.target);
  const std::optional<Fault> wrong = fault ? fault(request) : std::nullopt;
  if (!wrong && isDiscovery(request.path())) co_return co_await out.send({.status = 404});
  if (!wrong) {
    const Target target(request);
    co_await answer(request, target, out);
    co_return;
  }
  switch (wrong->kind) {
    case Fault::Kind::answer: {
      net::HttpResponse response{.status = wrong->status, .body = wrong->body};
      if (!wrong->retryAfter.empty()) response.headers.set("Retry-After", wrong->retryAfter);
      co_await out.send(std::move(response));
      break;
    }
    case Fault::Kind::cutAfter: try { static_cast<void>(perform(request, Target(request)));
      } catch (const ApiFailure&) {  // its answer would have been the failure
      }
      changed();
      out.abort();
      break;
    case Fault::Kind::cutBefore: out.abort(); break;
    case Fault::Kind::hang: co_await runtime_.clock.sleepFor(std::chrono::hours(1)); break;
  }
}

base::Task<void> FakeApi::answer(const net::ServerRequest& request, const Target& target, net::Responder& out) {
  if (request.method == "GET" && target.get("watch") == "true") {
    ++watches_;
    std::exception_ptr ended;
    try {
      co_await watch(target, out);
    } catch (...) {
      ended = std::current_exception();
    }
    --watches_;
    if (ended) std::rethrow_exception(ended);
    co_return;
  }
  net::HttpResponse response;
  try {
    response = jsonAnswer(request.method == "POST" ? 201 : 200, perform(request, target));
  } catch (const ApiFailure& f) {
    response = jsonAnswer(f.code, statusOf(f));
  }
  const bool isList = request.method == "GET" && target.id.name.empty();
  if (isList && rewritten) response.body = rewritten(std::move(response.body));
  if (request.method != "GET") changed();
  if (isList && listDelay.count() > 0) co_await runtime_.clock.sleepFor(listDelay);
  co_await out.send(std::move(response));
}

json::Value FakeApi::perform(const net::ServerRequest& request, const Target& target) {
  const json::Value body = request.body.empty() ? json::Value() : json::parse(request.body);
  if (request.method == "POST") return store.create(target.id.plural, target.id.namespace_, body);
  if (request.method == "PUT") return store.update(target.id, body, target.status);
  if (request.method == "PATCH") return store.patch(target.id, body, target.status);
  if (request.method == "DELETE") {
    auto left = store.remove(target.id, json::textAt(body, {"preconditions", "uid"}),
                             json::textAt(body, {"preconditions", "resourceVersion"}));
    return left ? *left : json::Value(json::Object{{"kind", "Status"}, {"status", "Success"}});
  }
  return target.id.name.empty() ? list(target) : store.get(target.id);
}

// The continue token is "<version>:<index of the next item>"; a page of an older version than the history is gone.
json::Value FakeApi::list(const Target& target) {
  const std::string token = target.get("continue");
  if (!token.empty() && betweenPages) betweenPages();
  const auto version = token.empty() ? store.version() : std::stoull(token);
  if (!token.empty() && (store.tooOld(version) || version != store.version()))
    throw ApiFailure{410, "Expired", "The provided continue parameter is too old"};
  const auto all = store.list(target.id.plural, target.id.namespace_);
  const std::size_t begin = token.empty() ? 0 : std::stoull(token.substr(token.find(':') + 1));
  std::size_t limit = all.size();
  if (!target.get("limit").empty()) {
    limit = std::stoull(target.get("limit"));
    if (pageLimit > 0) limit = std::min(limit, pageLimit);
  }
  const std::size_t end = std::min(all.size(), begin + limit);
  json::Object meta{{"resourceVersion", std::to_string(version)}};
  if (end < all.size()) meta["continue"] = fmt::format("{}:{}", version, end);
  return json::Object{{"kind", "List"},
                      {"metadata", std::move(meta)},
                      {"items", json::Array(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                            all.begin() + static_cast<std::ptrdiff_t>(end))}};
}

json::Value FakeApi::bookmark(const Target& target) const {
  return json::Object{{"kind", target.id.plural},
                      {"metadata", json::Object{{"resourceVersion", std::to_string(store.version())}}}};
}

base::Task<void> FakeApi::watch(const Target& target, net::Responder& out) {
  const std::string from = target.get("resourceVersion");
  std::uint64_t position = from.empty() ? store.version() : std::stoull(from);
  const auto breaks = breaks_;
  auto bookmarks = bookmarks_;
  const auto deadline = runtime_.clock.now() + std::chrono::seconds(std::stoll("0" + target.get("timeoutSeconds")));
  co_await out.begin(200, {{"Content-Type", "application/json"}});
  while (breaks == breaks_) {
    if (!held_ && !co_await tell(target, position, out)) co_return co_await out.end();
    if (!held_ && std::exchange(bookmarks, bookmarks_) != bookmarks_)
      co_await out.write(line("BOOKMARK", bookmark(target)));
    if (breaks != breaks_) break;
    if (!co_await changed_.waitUntil(runtime_.clock, deadline)) co_return co_await out.end();
  }
  if (withinALine_) co_await out.write(R"({"type":"MODIFIED","object":{"metada)");
  out.abort();
}

// False: an ERROR was the last word.
base::Task<bool> FakeApi::tell(const Target& target, std::uint64_t& position, net::Responder& out) {
  if (store.tooOld(position)) {
    co_await out.write(line("ERROR", statusOf({410, "Expired", "too old resource version"})));
    co_return false;
  }
  const auto history = store.history();  // a copy: it grows and is compacted while we write
  for (const auto& event : history) {
    if (event.version <= position) continue;
    position = event.version;
    const bool mine =
        event.plural == target.id.plural && (target.id.namespace_.empty() || target.id.namespace_ == event.namespace_);
    if (!mine) continue;
    std::string text = line(event.type, event.object);
    co_await out.write(rewritten ? rewritten(std::move(text)) : std::move(text));
  }
  co_return true;
}

}  // namespace ingot::tests
