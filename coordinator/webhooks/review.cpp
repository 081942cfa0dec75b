#include "coordinator/webhooks/review.hpp"

#include "base/cut_text.hpp"

namespace ingot::coordinator::webhooks {
namespace {

// Enough to recognise it, and no more of what a stranger sent.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 100;
  return text.empty() ? "nothing" : "\"" + base::cutText(text, most) + (text.size() > most ? "…" : "") + "\"";
}

}  // namespace

const json::Value& requestOf(const json::Value& review, ReviewKind wanted) {
  const std::string kind = json::textAt(review, {"kind"}), apiVersion = json::textAt(review, {"apiVersion"});
  if (kind != wanted.kind || apiVersion != wanted.apiVersion)
    throw BadRequest(
        400, fmt::format("the body must be one of kind \"{}\" and apiVersion \"{}\", not of kind {} and apiVersion {}",
                         wanted.kind, wanted.apiVersion, shown(kind), shown(apiVersion)));
  const json::Value* request = json::find(review, {"request"});
  if (!request || !request->is_object()) throw BadRequest(400, fmt::format("the {} has no request", wanted.kind));
  if (json::textAt(*request, {"uid"}).empty())
    throw BadRequest(400, fmt::format("the request of the {} has no uid", wanted.kind));
  return *request;
}

json::Value reviewWith(ReviewKind kind, const json::Value& request, json::Object response) {
  response["uid"] = json::textAt(request, {"uid"});
  return json::Object{{"apiVersion", kind.apiVersion}, {"kind", kind.kind}, {"response", std::move(response)}};
}

GroupVersion groupVersionOf(std::string_view apiVersion) {
  const auto slash = apiVersion.find('/');
  if (slash == std::string_view::npos) return {.group = {}, .version = std::string(apiVersion)};
  return {.group = std::string(apiVersion.substr(0, slash)), .version = std::string(apiVersion.substr(slash + 1))};
}

}  // namespace ingot::coordinator::webhooks
