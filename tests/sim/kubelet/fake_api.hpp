// A Kubernetes API in memory: objects by their paths, who asked for what, and certificates for whoever asks.
#pragma once

#include "base/base64.hpp"
#include "base/sync.hpp"
#include "json/patch.hpp"
#include "net/certificates.hpp"
#include "net/loopback.hpp"
#include "net/url.hpp"
#include "tests/support/loop.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::tests {

class FakeApi final : public net::HttpHandler {
 public:
  FakeApi(const base::Runtime& runtime, net::Loopback& network)
      : authority(net::CertificateAuthority::create("kubernetes", runtime.clock.wall())),
        clock_(runtime.clock),
        changed_(runtime.executor) {
    network.serve("https://10.9.0.5:6443", *this);
    network.beforeRequest = [this](const net::ClientOptions& options, const net::HttpRequest& request) {
      if (away) throw net::HttpError(net::HttpError::Code::unreachable, "away");
      user_ = userOf(options);
      requests.push_back(request.method + " " + request.target + " by " + user_);
    };
  }

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (request.query().contains("watch=true")) co_return co_await watch(out);
    auto response = refuse ? refuse(request) : std::nullopt;
    co_await out.send(response ? std::move(*response) : answer(request));
  }

  [[nodiscard]] long count(const std::string& words) const {
    return std::ranges::count_if(requests, [&](const auto& each) { return each.find(words) != std::string::npos; });
  }
  // Tells every watch; a watch that comes later is not told.
  void tell(const std::string& type, const json::Value& object) {
    events_.push_back(json::serialize(json::Object{{"type", type}, {"object", object}}) + "\n");
    changed_.notifyAll();
  }
  void endWatches() {
    ++ended_;
    changed_.notifyAll();
  }
  // At a path of the object; "" when either is missing.
  [[nodiscard]] std::string text(const std::string& path, std::initializer_list<std::string_view> field) const {
    const auto found = objects.find(path);
    return found == objects.end() ? "" : json::textAt(found->second, field);
  }

  net::CertificateAuthority authority;
  std::map<std::string, json::Value> objects;
  std::vector<std::string> requests;  // "PATCH /api/v1/nodes/a by system:node:a"
  bool away = false, signs = true;
  int briefWatches = 0;  // so many end at once
  std::function<std::optional<net::HttpResponse>(const net::ServerRequest&)> refuse;

 private:
  static std::string userOf(const net::ClientOptions& options) {
    if (!options.tls.verify) return options.bearerToken.empty() ? "nobody, unverified" : "a token told to anyone";
    if (!options.bearerToken.empty()) return "token " + options.bearerToken.reveal();
    return options.tls.certificatePem.empty() ? "nobody" : net::subjectOf(options.tls.certificatePem).commonName;
  }
  static net::HttpResponse status(int code, const std::string& message) {
    return {.status = code, .headers = {}, .body = json::serialize({{"kind", "Status"}, {"message", message}})};
  }

  base::Task<void> watch(net::Responder& out) {
    auto told = events_.size();
    const auto ended = ended_;
    co_await out.begin(200, {});
    const bool isBrief = briefWatches > 0;
    briefWatches -= isBrief;
    while (ended == ended_ && !isBrief) {
      if (told < events_.size())
        co_await out.write(events_[told++]);
      else
        co_await changed_.wait();
    }
    co_await out.end();
  }

  net::HttpResponse answer(const net::ServerRequest& request) {
    const std::string path = net::percentDecode(request.path());
    if (request.method == "POST") return create(path, json::parse(request.body));
    const auto asked = path.ends_with("/status") ? path.substr(0, path.size() - 7) : path;
    if (!isCollection(path)) {
      const auto found = objects.find(asked);
      if (found == objects.end()) return status(404, asked + " not found");
      if (request.method == "PATCH") json::applyMergePatch(found->second, json::parse(request.body));
      return {.status = 200, .headers = {}, .body = json::serialize(found->second)};
    }
    return page(path + "/", net::parseQuery(request.query()));
  }
  // Continues behind the path that it names.
  net::HttpResponse page(const std::string& prefix, const std::vector<std::pair<std::string, std::string>>& query) {
    std::map<std::string, std::string> asked(query.begin(), query.end());
    const auto limit = asked["limit"].empty() ? objects.size() : std::stoul(asked["limit"]);
    json::Object answer;
    json::Array items;
    for (auto at = objects.upper_bound(std::max(asked["continue"], prefix)); at != objects.end(); ++at) {
      if (!at->first.starts_with(prefix)) break;
      items.push_back(at->second);
      const auto next = std::next(at);
      if (items.size() < limit || next == objects.end() || !next->first.starts_with(prefix)) continue;
      answer["metadata"] = json::Object{{"continue", at->first}};
      break;
    }
    answer["items"] = std::move(items);
    return {.status = 200, .headers = {}, .body = json::serialize(answer)};
  }
  static bool isCollection(const std::string& path) { return path.ends_with("/baremetalhosts"); }

  net::HttpResponse create(const std::string& collection, json::Value object) {
    const auto path = collection + "/" + json::textAt(object, {"metadata", "name"});
    if (objects.contains(path)) return status(409, path + " already exists");
    json::makeObjectAt(object, {"metadata"})["uid"] = fmt::format("uid-{}", objects.size());
    if (signs && json::textAt(object, {"kind"}) == "CertificateSigningRequest")
      json::makeObjectAt(object, {"status"})["certificate"] =
          base::toBase64(authority.issue(net::ClientCertificate{.commonName = "bought"}, clock_.wall()).certificatePem);
    objects[path] = object;
    return {.status = 201, .headers = {}, .body = json::serialize(object)};
  }

  base::Clock& clock_;
  base::Notifier changed_;
  std::vector<std::string> events_;
  int ended_ = 0;
  std::string user_;
};

}  // namespace ingot::tests
