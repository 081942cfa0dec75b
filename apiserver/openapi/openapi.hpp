// The OpenAPI v3 documents, one a group version (spec/kubernetes-api.md §2): what kubectl validates and explains with.
// Made when asked for and not kept: they are large, and clients keep them.
#pragma once

#include "apiserver/discovery/discovery.hpp"
#include "apiserver/schema/catalog.hpp"

#include <map>
#include <string>

namespace ingot::apiserver {

class OpenApi {
 public:
  OpenApi(const Registry& registry, const Catalog& catalog, Discovery& discovery)
      : registry_(registry), catalog_(catalog), discovery_(discovery) {}

  struct Document {
    std::string body;
    std::string hash;  // changes when the body does
  };
  // {"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=…"},…}}
  [[nodiscard]] std::string index();
  // `path`: "api/v1", "apis/metal3.io/v1alpha1". nullopt: not served.
  [[nodiscard]] std::optional<Document> document(std::string_view path);

 private:
  void refresh();
  [[nodiscard]] Document build(const GroupVersion& of) const;

  const Registry& registry_;
  const Catalog& catalog_;
  Discovery& discovery_;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> built_;
  struct Known {
    GroupVersion of;
    std::string hash;
  };
  std::map<std::string, Known, std::less<>> known_;  // by path
};

}  // namespace ingot::apiserver
