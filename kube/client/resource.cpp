#include "kube/client/resource.hpp"

#include "base/cut_text.hpp"
#include "base/url_text.hpp"
#include "kube/core/error.hpp"
#include "kube/core/names.hpp"
#include "net/url.hpp"

#include <fmt/format.h>

namespace ingot::kube {
namespace {

constexpr std::size_t kMostOfSegment = 100;  // in an error's text

// The server splits a path after it has decoded it: what is encoded does not keep a '/' together.
std::string segment(std::string_view text) {
  const auto problem = text.empty() ? std::optional<std::string>("may not be empty") : pathSegmentProblem(text);
  if (!problem) return net::percentEncode(text);
  Status status{.reason = "NotFound", .details = {.name = std::string(text)}, .code = 404};
  throw Error(Error::Code::notFound, std::move(status),
              fmt::format("nothing can be called {}, which {}",
                          base::url_text::quoted(base::cutText(text, kMostOfSegment)), *problem));
}

std::string root(const Resource& r) {
  return r.group.empty() ? "/api/" + segment(r.version) : "/apis/" + segment(r.group) + "/" + segment(r.version);
}

std::string basePath(const Resource& r, std::string_view namespace_) {
  std::string out = root(r);
  if (r.namespaced && !namespace_.empty()) out += "/namespaces/" + segment(namespace_);
  return out + "/" + segment(r.plural);
}

std::string queryText(const Query& query) {
  std::string out;
  for (const auto& [name, value] : query) {
    if (value.empty()) continue;
    out += out.empty() ? '?' : '&';
    out += name + "=" + net::percentEncode(value);
  }
  return out;
}

}  // namespace

Resource Resource::of(const KindInfo& info) {
  return {.group = std::string(info.group),
          .version = std::string(info.version),
          .kind = std::string(info.kind),
          .plural = std::string(info.plural),
          .namespaced = info.namespaced};
}

std::string Resource::apiVersion() const { return group.empty() ? version : group + "/" + version; }
std::string Resource::name() const { return group.empty() ? plural : plural + "." + group; }

std::string collectionPath(const Resource& r, std::string_view namespace_, const Query& query) {
  return basePath(r, namespace_) + queryText(query);
}

std::string objectPath(const Resource& r, const ObjectKey& key, std::string_view subresource, const Query& query) {
  std::string out = basePath(r, key.namespace_) + "/" + segment(key.name);
  if (!subresource.empty()) out += "/" + std::string(subresource);
  return out + queryText(query);
}

}  // namespace ingot::kube
