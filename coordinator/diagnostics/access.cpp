#include "coordinator/diagnostics/access.hpp"

namespace ingot::coordinator::diagnostics {
namespace {

constexpr std::size_t mostKnown = 64;
constexpr unsigned mostAtOnce = 4;
constexpr base::Duration trustedFor = std::chrono::minutes(1), refusedFor = std::chrono::seconds(10);

const kube::Resource tokenReviews{.group = "authentication.k8s.io",
                                  .version = "v1",
                                  .kind = "TokenReview",
                                  .plural = "tokenreviews",
                                  .namespaced = false};
const kube::Resource accessReviews{.group = "authorization.k8s.io",
                                   .version = "v1",
                                   .kind = "SubjectAccessReview",
                                   .plural = "subjectaccessreviews",
                                   .namespaced = false};

json::Value reviewOf(const kube::Resource& resource, json::Object spec) {
  return json::Object{
      {"apiVersion", resource.apiVersion()}, {"kind", resource.kind}, {"spec", json::Value(std::move(spec))}};
}

// The one of the token as a SubjectAccessReview wants to hear of him.
json::Object subjectOf(const json::Value& tokenReview) {
  constexpr std::pair<std::string_view, std::string_view> members[] = {
      {"username", "user"}, {"uid", "uid"}, {"groups", "groups"}, {"extra", "extra"}};
  json::Object subject;
  const auto* user = json::objectAt(tokenReview, {"status", "user"});
  if (user == nullptr) return subject;
  for (const auto& [there, here] : members)
    if (const auto* value = user->if_contains(there)) subject[here] = *value;
  return subject;
}

class Counted {
 public:
  explicit Counted(unsigned& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  unsigned& count_;
};

}  // namespace

base::Task<Verdict> Access::mayGet(std::string path, base::Secret token) {
  if (const auto verdict = remembered(path, token)) co_return *verdict;
  if (asking_ >= mostAtOnce) throw Busy();
  const Counted counted(asking_);
  const Verdict verdict = co_await ask(path, token);
  remember(std::move(path), std::move(token), verdict);
  co_return verdict;
}

std::optional<Verdict> Access::remembered(const std::string& path, const base::Secret& token) {
  known_.remove_if([now = runtime_.clock.now()](const Known& known) { return known.until <= now; });
  for (const Known& known : known_)
    if (known.path == path && known.token == token) return known.verdict;
  return std::nullopt;
}

void Access::remember(std::string path, base::Secret token, Verdict verdict) {
  const auto lasts = verdict == Verdict::allowed ? trustedFor : refusedFor;
  known_.push_front({std::move(path), std::move(token), verdict, runtime_.clock.now() + lasts});
  if (known_.size() > mostKnown) known_.pop_back();
}

base::Task<Verdict> Access::ask(std::string path, base::Secret token) {
  const json::Value who =
      co_await api_.create(tokenReviews, "", reviewOf(tokenReviews, json::Object{{"token", token.reveal()}}));
  if (!json::boolAt(who, {"status", "authenticated"}).value_or(false)) co_return Verdict::stranger;
  json::Object spec = subjectOf(who);
  spec["nonResourceAttributes"] = json::Object{{"path", path}, {"verb", "get"}};
  const json::Value may = co_await api_.create(accessReviews, "", reviewOf(accessReviews, std::move(spec)));
  co_return json::boolAt(may, {"status", "allowed"}).value_or(false) ? Verdict::allowed : Verdict::forbidden;
}

}  // namespace ingot::coordinator::diagnostics
