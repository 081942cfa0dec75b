#include "coordinator/diagnostics/access.hpp"

#include "kube/client/access_review.hpp"

#include <algorithm>

namespace ingot::coordinator::diagnostics {
namespace {

constexpr std::size_t mostKnown = 64;
constexpr unsigned mostAtOnce = 4;
constexpr base::Duration trustedFor = std::chrono::minutes(1), refusedFor = std::chrono::seconds(10);
constexpr base::Duration preferredFor = std::chrono::minutes(10);  // since it was found good

const kube::Resource tokenReviews{.group = "authentication.k8s.io",
                                  .version = "v1",
                                  .kind = "TokenReview",
                                  .plural = "tokenreviews",
                                  .namespaced = false};

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

base::Duration Access::Known::lasts() const { return verdict == Verdict::allowed ? trustedFor : refusedFor; }

base::Task<Verdict> Access::mayGet(std::string path, base::Secret token) {
  if (const auto verdict = remembered(path, token)) co_return *verdict;
  unsigned& asking = wasGoodLately(path, token) ? askingForGood_ : askingForOthers_;
  if (asking >= mostAtOnce) throw Busy();
  const Counted counted(asking);
  const Verdict verdict = co_await ask(path, token);
  remember(std::move(path), std::move(token), verdict);
  co_return verdict;
}

Access::Memory::iterator Access::find(Memory& memory, const std::string& path, const base::Secret& token) {
  return std::ranges::find_if(memory, [&](const Known& known) { return known.path == path && known.token == token; });
}

std::optional<Verdict> Access::remembered(const std::string& path, const base::Secret& token) {
  good_.remove_if([now = runtime_.clock.now()](const Known& known) { return now - known.at >= preferredFor; });
  for (Memory* memory : {&good_, &refused_})
    if (const auto known = find(*memory, path, token); known != memory->end())
      if (runtime_.clock.now() - known->at < known->lasts()) return known->verdict;
  return std::nullopt;
}

void Access::remember(std::string path, base::Secret token, Verdict verdict) {
  for (Memory* memory : {&good_, &refused_})
    if (const auto earlier = find(*memory, path, token); earlier != memory->end()) memory->erase(earlier);
  Memory& memory = verdict == Verdict::allowed ? good_ : refused_;
  memory.push_front({std::move(path), std::move(token), verdict, runtime_.clock.now()});
  if (memory.size() > mostKnown) memory.pop_back();
}

bool Access::wasGoodLately(const std::string& path, const base::Secret& token) {
  const auto known = find(good_, path, token);
  return known != good_.end() && runtime_.clock.now() - known->at < preferredFor;
}

base::Task<Verdict> Access::ask(std::string path, base::Secret token) {
  const json::Value who = co_await api_.create(tokenReviews, "",
                                               json::Object{{"apiVersion", tokenReviews.apiVersion()},
                                                            {"kind", tokenReviews.kind},
                                                            {"spec", json::Object{{"token", token.reveal()}}}});
  if (!json::boolAt(who, {"status", "authenticated"}).value_or(false)) co_return Verdict::stranger;
  json::Object spec = subjectOf(who);
  spec["nonResourceAttributes"] = json::Object{{"path", path}, {"verb", "get"}};
  const bool may = co_await kube::isAllowed(api_, kube::Whose::subject, std::move(spec));
  co_return may ? Verdict::allowed : Verdict::forbidden;
}

}  // namespace ingot::coordinator::diagnostics
