// The Kubernetes API over HTTP with JSON documents, for any kind. Everything throws kube::Error and base::Cancelled.
// kube/client/client.hpp is the same with structs.
#pragma once

#include "base/runtime.hpp"
#include "json/value.hpp"
#include "kube/client/connections.hpp"
#include "kube/client/credentials.hpp"
#include "kube/client/options.hpp"
#include "kube/client/resource.hpp"
#include "kube/client/retry.hpp"
#include "net/client.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::kube {

// One page of a list.
struct Page {
  std::vector<json::Value> items;    // each with apiVersion and kind
  std::vector<json::Value> tooDeep;  // what names those that are too deep: see ListQuery::nameTooDeep, documents.hpp
  std::string resourceVersion;       // of the snapshot that all pages belong to
  std::string next;                  // continue token; "": this was the last page
};

// One line of a watch.
struct WatchEvent {
  enum class Type { added, modified, deleted, bookmark, error };
  Type type = Type::error;
  json::Value object;    // for error: a Status
  bool tooDeep = false;  // the object has what names it only: it is nested too deep to be read
};

// An open watch. Dropping it ends it.
class WatchStream {
 public:
  // `lineLimit`: bytes of one event; Error{badAnswer} past it.
  WatchStream(std::unique_ptr<net::HttpStream> stream, std::size_t lineLimit)
      : stream_(std::move(stream)), lineLimit_(lineLimit) {}
  // nullopt: the server ended it, between two events. Throws Error{interrupted} when it broke or was silent for `idle`.
  [[nodiscard]] base::Task<std::optional<WatchEvent>> next(base::Duration idle);

 private:
  std::optional<std::string> takeLine();

  std::unique_ptr<net::HttpStream> stream_;
  std::size_t lineLimit_;
  std::string pending_;
  std::size_t begin_ = 0;     // of the first line not taken yet
  std::size_t searched_ = 0;  // no line end between begin_ and here
};

struct ApiOptions {
  RetryPolicy retry;
  base::Duration deadline = std::chrono::seconds(30);  // of one request
  std::size_t bodyLimit = 64u << 20;                   // of one answer, of one page of a list
  std::size_t lineLimit = 32u << 20;                   // of one event of a watch
  std::string userAgent = "ingot";
  std::string fieldManager;  // of writes that name none; "": the server takes the user agent up to its first slash
};

class Api {
 public:
  // `identity`: headers that every request carries, for whom it acts.
  Api(base::Runtime runtime, std::unique_ptr<Connections> connections, BearerToken token, net::Headers identity,
      ApiOptions options = {});

  [[nodiscard]] base::Task<std::optional<json::Value>> get(Resource r, ObjectKey key);
  [[nodiscard]] base::Task<Page> listPage(Resource r, ListQuery query, std::string continueToken);
  // All pages. When the snapshot expires between two of them: anew from the first one, as often as a read is tried.
  [[nodiscard]] base::Task<Page> list(Resource r, ListQuery query = {});
  [[nodiscard]] base::Task<WatchStream> watch(Resource r, WatchQuery query);

  // `namespace_` is "" for cluster-scoped kinds. The object carries apiVersion, kind and name or generateName.
  [[nodiscard]] base::Task<json::Value> create(Resource r, std::string namespace_, json::Value object,
                                               WriteOptions options = {});
  [[nodiscard]] base::Task<json::Value> update(Resource r, ObjectKey key, json::Value object,
                                               std::string subresource = {}, WriteOptions options = {});
  [[nodiscard]] base::Task<json::Value> patch(Resource r, ObjectKey key, PatchType type, json::Value patch,
                                              std::string subresource = {}, WriteOptions options = {});
  // The object while finalizers hold it, a Status once it is gone; nullopt when there was none.
  [[nodiscard]] base::Task<std::optional<json::Value>> remove(Resource r, ObjectKey key, DeleteOptions options = {});

  // Any other path ("/version", "/apis"): the parsed answer, whole, with managed fields. `accept` defaults to JSON.
  [[nodiscard]] base::Task<json::Value> raw(std::string method, std::string target, std::string accept = {});
  // As the server sent it, e.g. for /readyz. Throws for statuses that are not 2xx.
  [[nodiscard]] base::Task<std::string> text(std::string target);

 private:
  struct Call;
  [[nodiscard]] base::Task<net::HttpResponse> perform(Call call);
  [[nodiscard]] base::Task<net::HttpResponse> attempt(const Call& call);
  [[nodiscard]] base::Task<json::Value> performJson(Call call);
  // The server did not accept our credentials. Returns true when there are others to try.
  [[nodiscard]] bool refused();
  [[nodiscard]] net::HttpRequest requestFor(const Call& call);

  base::Runtime runtime_;
  std::unique_ptr<Connections> connections_;
  BearerToken token_;
  net::Headers identity_;
  ApiOptions options_;
};

}  // namespace ingot::kube
