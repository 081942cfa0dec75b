#include "coordinator/shadow/fence.hpp"

#include "coordinator/shadow/answer.hpp"
#include "kube/core/names.hpp"
#include "kube/core/undecoded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ingot::coordinator::shadow {
namespace {

constexpr std::size_t kAskedAtMost = 500;
constexpr unsigned kAskedLinesAMinute = 20;
constexpr std::string_view kAgent = "ingot/";
// Kubernetes answers these and keeps nothing of them.
constexpr std::array<std::string_view, 2> kReviews = {"/apis/authentication.k8s.io/v1/tokenreviews",
                                                      "/apis/authorization.k8s.io/v1/subjectaccessreviews"};

bool isRead(const net::HttpRequest& request) {
  const std::string_view method = request.method;
  return (method == "GET" || method == "HEAD" || method == "OPTIONS") && !reachesThrough(request.target);
}

bool isReview(const net::HttpRequest& request) {
  return request.method == "POST" && std::ranges::find(kReviews, request.target) != kReviews.end();
}

bool isWatch(std::string_view target) { return target.find("watch=true") != std::string_view::npos; }

// A request for a list, of which servers tell one part after the other.
struct ListPart {
  std::string list;  // which one
  bool isFirst = true, isOfAll = true;
};
struct Listed {
  std::string version;  // of the first part
  std::set<kube::ObjectKey> there = {};
};

ListPart listPartOf(std::string_view target) {
  const auto query = target.find('?');
  ListPart part{.list = std::string(target.substr(0, query))};
  while (query != std::string_view::npos && !target.empty()) {
    const auto end = std::min(target.find_first_of("?&"), target.size());
    const auto option = target.substr(0, end);
    if (option.starts_with("continue=") && option.size() > std::string_view("continue=").size()) part.isFirst = false;
    if (option.starts_with("labelSelector=") || option.starts_with("fieldSelector=")) {
      part.isOfAll = false;
      part.list.append("&").append(option);
    }
    target.remove_prefix(std::min(end + 1, target.size()));
  }
  return part;
}

std::string controllerIn(const std::string& userAgent) {
  return userAgent.starts_with(kAgent) ? userAgent.substr(kAgent.size()) : "";
}

// Of the object that a write is about, with who asks.
net::HttpRequest readFor(const net::HttpRequest& write) {
  net::HttpRequest read{.method = "GET",
                        .target = write.target.substr(0, write.target.find('?')),
                        .headers = write.headers,
                        .deadline = write.deadline};
  read.headers.remove("Content-Type");
  read.headers.set("Accept", "application/json");
  return read;
}

// As Kubernetes names objects, and Nodes without a namespace: a workload cluster's API may tell anything.
bool isNamed(const std::string& resource, const kube::ObjectKey& key) {
  const bool isPlaced =
      resource == "nodes" ? key.namespace_.empty() : key.namespace_.empty() || !kube::subdomainProblem(key.namespace_);
  return isPlaced && !kube::subdomainProblem(key.name);
}

std::optional<json::Value> documentOf(const net::HttpResponse& response) {
  if (response.status != 200) return std::nullopt;
  try {
    return json::parse(response.body, {.bytes = std::max<std::size_t>(response.body.size(), 1)});
  } catch (const json::ParseError&) {
    return std::nullopt;
  }
}

}  // namespace

// Of all clients for one server together, and of what they watch.
class Fence::Connection {
 public:
  Connection(Fence& fence, std::string server) : fence_(fence), server_(std::move(server)) {}
  ~Connection() {
    fence_.connections_.erase(server_);
    if (const std::string cluster = fence_.clusterOf(server_); !cluster.empty()) fence_.book_.forget(cluster);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

 private:
  Fence& fence_;
  std::string server_;
};

std::shared_ptr<Fence::Connection> Fence::connectionTo(const std::string& server) {
  auto& known = connections_[server];
  auto connection = known.lock();
  if (!connection) known = connection = std::make_shared<Connection>(*this, server);
  return connection;
}

// A watch as it passes: each line is shown to the book before the one who watches gets it. Where it is of some objects
// only, one that comes may have been there before, and one that goes may still be there.
class Fence::Watch final : public net::HttpStream {
 public:
  Watch(std::unique_ptr<net::HttpStream> below, Book& book, ObjectId kind, bool isOfAll,
        std::shared_ptr<Connection> connection)
      : below_(std::move(below)),
        book_(book),
        kind_(std::move(kind)),
        connection_(std::move(connection)),
        isOfAll_(isOfAll) {}

  [[nodiscard]] int status() const override { return below_->status(); }
  [[nodiscard]] const net::Headers& headers() const override { return below_->headers(); }
  base::Task<std::optional<std::string>> next(base::Duration idle) override {
    auto piece = co_await below_->next(idle);
    if (piece && status() == 200) show(*piece);
    co_return piece;
  }

 private:
  void show(const std::string& piece) {
    pending_ += piece;
    std::size_t begin = 0;
    for (auto end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', begin)) {
      line(std::string_view(pending_).substr(begin, end - begin));
      begin = end + 1;
    }
    pending_.erase(0, begin);
  }

  void line(std::string_view text) {
    json::Value event;
    try {
      event = json::parse(text, {.bytes = std::max<std::size_t>(text.size(), 1)});
    } catch (const json::ParseError&) {
      return;  // who watches complains of it
    }
    const json::Value* object = json::find(event, {"object"});
    if (object == nullptr) return;
    const std::string type = json::textAt(event, {"type"});
    const ObjectId id{kind_.cluster, kind_.resource, kube::keyOf(*object)};
    if (!isNamed(id.resource, id.key)) return;
    const auto come = isOfAll_ || type == "MODIFIED" ? Book::Sight::watched : Book::Sight::listed;
    if (type == "ADDED" || type == "MODIFIED") book_.seen(id, *object, come);
    if (type == "DELETED") book_.gone(id, isOfAll_ ? Book::Sight::watched : Book::Sight::listed);
  }

  std::unique_ptr<net::HttpStream> below_;
  Book& book_;
  ObjectId kind_;
  std::shared_ptr<Connection> connection_;
  bool isOfAll_;
  std::string pending_;
};

class Fence::Client final : public net::HttpClient {
 public:
  Client(Fence& fence, net::ClientOptions options)
      : fence_(fence),
        server_(options.baseUrl),
        connection_(fence.connectionTo(server_)),
        controller_(controllerIn(options.userAgent)),
        below_(fence.below_.connect(std::move(options))) {}

  base::Task<net::HttpResponse> send(net::HttpRequest request) override {
    if (isRead(request) || isReview(request)) co_return co_await passed(std::move(request));
    co_return co_await withheld(std::move(request));
  }

  base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
    if (!isRead(request))
      throw net::HttpError(net::HttpError::Code::unreachable, request.method + " " + request.target + ": in shadow");
    const auto target = targetOf(request.target);
    const bool isFollowed = target && isCompared(target->resource) && isWatch(request.target);
    const bool isOfAll = listPartOf(request.target).isOfAll;
    auto stream = co_await below_->open(std::move(request));
    if (!isFollowed) co_return stream;
    co_return std::make_unique<Watch>(std::move(stream), fence_.book_, ObjectId{cluster(), target->resource, {}},
                                      isOfAll, connection_);
  }

 private:
  // The only place that sends.
  base::Task<net::HttpResponse> passed(net::HttpRequest request) {
    if (!isRead(request) && !isReview(request)) throw std::logic_error("a write in shadow");
    const auto target = targetOf(request.target);
    const ListPart part = listPartOf(request.target);
    const bool isList = target && target->key.name.empty() && isCompared(target->resource);
    const std::string newest = isList ? fence_.book_.newestOf({cluster(), target->resource, {}}) : "";
    auto response = co_await below_->send(std::move(request));
    if (isList) show(*target, part, newest, response);
    co_return response;
  }

  void show(const Target& target, const ListPart& part, const std::string& newest, const net::HttpResponse& response) {
    const auto list = documentOf(response);
    const auto* items = list ? json::arrayAt(*list, {"items"}) : nullptr;
    if (items == nullptr) return;
    auto& whole = lists_[part.list];
    if (part.isFirst) {
      whole = {.version = kube::resourceVersionOf(*list)};
      fence_.book_.listing({cluster(), target.resource, {}}, whole.version, newest);
    }
    for (const auto& each : *items) {
      if (!each.is_object() || !isNamed(target.resource, kube::keyOf(each))) continue;
      const ObjectId id{cluster(), target.resource, kube::keyOf(each)};
      whole.there.insert(id.key);
      fence_.book_.seen(id, each, Book::Sight::listed, whole.version);
    }
    if (!json::textAt(*list, {"metadata", "continue"}).empty()) return;
    if (part.isOfAll && !whole.version.empty())
      fence_.book_.listed({cluster(), target.resource, target.key}, whole.there, whole.version);
    lists_.erase(part.list);
  }

  base::Task<net::HttpResponse> withheld(net::HttpRequest request) {
    const auto target = targetOf(request.target);
    const bool isThrough = reachesThrough(request.target);
    count(request.method, target || isThrough ? "kubernetes" : "ironic");
    if (isThrough) co_return refusal(403, "Forbidden", "in shadow nothing is reached through an object");
    if (!target) co_return co_await withheldFromIronic(std::move(request));
    if (target->resource == "events") co_return told(request);
    const bool isCreation = request.method == "POST";
    // An eviction, a token: nothing of the object itself would change.
    if (isCreation && !target->subresource.empty())
      co_return net::HttpResponse{
          .status = 201, .headers = {{"Content-Type", "application/json"}}, .body = std::move(request.body)};
    if (!isCreation && target->key.name.empty()) co_return net::HttpResponse{.status = 200, .body = "{}"};
    ObjectId id{cluster(), target->resource, target->key};
    if (isCreation && target->key.name.empty()) id.key.name = nameIn(request);

    std::optional<json::Value> there;
    if (!id.key.name.empty()) {
      auto read = readFor(request);
      if (isCreation) read.target += "/" + id.key.name;
      if (const auto below = target->subresource; !below.empty())
        read.target.resize(read.target.size() - below.size() - 1);
      auto response = co_await passed(std::move(read));
      there = documentOf(response);
      if (!there && response.status != 404) co_return response;
    }
    co_return answered(request, id, target->subresource, there);
  }

  net::HttpResponse answered(const net::HttpRequest& request, const ObjectId& id, const std::string& subresource,
                             const std::optional<json::Value>& there) {
    auto answer = answerOf(request, id, subresource, there, given());
    // Somebody was quicker: what was decided counts for the version that it was decided on.
    if (answer.response.status == 409)
      if (const auto before = fence_.book_.find(id, guardOf(request)))
        answer.decision = answerOf(request, id, subresource, before, given()).decision;
    if (answer.decision) {
      answer.decision->controller = controller_.empty() ? std::string(controllerOf(id.resource)) : controller_;
      fence_.book_.decided(std::move(*answer.decision));
    }
    return std::move(answer.response);
  }

  // An Event says why something was decided. None is there whose count could be raised.
  net::HttpResponse told(const net::HttpRequest& request) {
    if (request.method != "POST") return refusal(404, "NotFound", "in shadow there are no Events");
    json::Value event;
    try {
      event = json::parse(request.body);
    } catch (const json::ParseError&) {
      return refusal(400, "BadRequest", "the body is no JSON");
    }
    const auto text = [&event](auto... path) { return json::textAt(event, {path...}); };
    const std::string why = fmt::format("{}: {}", text("reason"), text("message"));
    fence_.book_.explained(text("involvedObject", "kind"),
                           {text("involvedObject", "namespace"), text("involvedObject", "name")}, why);
    auto& metadata = json::makeObjectAt(event, {"metadata"});
    if (!metadata.contains("name")) metadata["name"] = text("metadata", "generateName") + given().uid.substr(24);
    metadata["resourceVersion"] = "1";
    return {.status = 201, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(event)};
  }

  base::Task<net::HttpResponse> withheldFromIronic(net::HttpRequest request) {
    fence_.ask(request);
    json::Value record;
    if (request.method == "PATCH")
      if (auto there = documentOf(co_await passed(readFor(request)))) record = std::move(*there);
    co_return ironicAnswerOf(request, record, given());
  }

  static std::string nameIn(const net::HttpRequest& request) {
    try {
      return json::textAt(json::parse(request.body), {"metadata", "name"});
    } catch (const json::ParseError&) {
      return "";
    }
  }

  Given given() const {
    return {.uid = std::string(madeUp) + fence_.runtime_.random.uuid().substr(madeUp.size()),
            .now = fence_.runtime_.clock.wall(),
            .salt = fence_.salt_};
  }

  void count(const std::string& method, const char* from) {
    fence_.metrics_
        .counter("ingot_shadow_withheld_total", "Requests that would have changed something, and were not sent",
                 {{"from", from}, {"method", method}})
        .add();
  }

  [[nodiscard]] std::string cluster() const { return fence_.clusterOf(server_); }

  Fence& fence_;
  std::string server_;
  std::shared_ptr<Connection> connection_;
  std::string controller_;
  std::map<std::string, Listed> lists_;  // that are under way
  std::unique_ptr<net::HttpClient> below_;
};

Fence::Fence(base::Runtime runtime, net::HttpTransport& below, Book& book, base::Metrics& metrics, std::string salt)
    : runtime_(std::move(runtime)),
      below_(below),
      book_(book),
      metrics_(metrics),
      salt_(std::move(salt)),
      lines_(runtime_.clock, kAskedLinesAMinute) {}

void Fence::home(const std::string& server) { home_ = server; }

std::unique_ptr<net::HttpClient> Fence::connect(net::ClientOptions options) {
  return std::make_unique<Client>(*this, std::move(options));
}

std::string Fence::clusterOf(const std::string& server) const { return server == home_ ? "" : server; }

// The same again is the same wish: Ironic has not been asked.
void Fence::ask(const net::HttpRequest& request) {
  const std::string what = ironicWishOf(request);
  const auto now = runtime_.clock.wall();
  const auto known = std::ranges::find_if(
      asked_, [&](const Asked& each) { return each.method == request.method && each.what == what; });
  if (known != asked_.end()) {
    Asked again = std::move(*known);
    asked_.erase(known);
    again.last = now;
    ++again.times;
    asked_.push_back(std::move(again));
    return;
  }
  asked_.push_back({.first = now, .last = now, .times = 1, .method = request.method, .what = what});
  if (asked_.size() > kAskedAtMost) asked_.pop_front();
  if (lines_.next()) runtime_.log.info("would ask Ironic", {{"method", request.method}, {"what", what}});
}

std::string userAgentOf(std::string_view controller) { return fmt::format("{}{}", kAgent, controller); }

}  // namespace ingot::coordinator::shadow
