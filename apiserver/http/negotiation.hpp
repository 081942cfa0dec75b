// Which form of an answer a client wants (spec/kubernetes-api.md §3.1, §12): JSON or YAML; objects, Tables or metadata.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::apiserver {

struct MediaRange {
  std::string type;  // "application/json", lower case
  std::vector<std::pair<std::string, std::string>> parameters;
  double quality = 1;
  [[nodiscard]] std::string parameter(std::string_view name) const;
};
// In order of preference: by quality, then as written.
[[nodiscard]] std::vector<MediaRange> parseAccept(std::string_view header);

struct Wanted {
  enum class Form { object, table, partial, partialList };
  Form form = Form::object;
  bool yaml = false;
  std::string version = "v1";  // of meta.k8s.io, for the other forms
};

// What a request can be answered with.
enum class Answer { single, list, watch };

// Throws ApiError 406 when nothing acceptable is offered. An absent header accepts everything.
[[nodiscard]] Wanted negotiate(std::string_view accept, Answer answer);

// The client asks for apidiscovery.k8s.io/v2. Throws 406 when it takes only versions of it that are gone.
[[nodiscard]] bool wantsAggregatedDiscovery(std::string_view accept);

}  // namespace ingot::apiserver
