#include "cli/run/bundle/api_source.hpp"

#include "cli/words/plain_text.hpp"
#include "json/yaml.hpp"
#include "kube/core/error.hpp"

namespace ingot::cli::bundle {
namespace {

using Code = kube::Error::Code;

bool isNone(const kube::Error& error) { return error.code() == Code::notFound || error.code() == Code::badRequest; }

}  // namespace

std::optional<std::string> failingPage(const kube::Error& error) {
  const bool fails = error.code() == Code::unavailable || error.code() == Code::internal;
  const kube::Status& answer = error.status();
  if (!fails || !answer.status.empty() || !answer.reason.empty() || answer.message.empty()) return std::nullopt;
  return answer.message;
}

base::Task<bool> ApiSource::each(kube::Resource resource, kube::ListQuery query, See see) {
  if (lost_) co_return false;
  const std::string what = query.namespace_.empty() ? resource.name() : resource.name() + " in " + query.namespace_;
  std::size_t seen = 0;
  try {
    std::string next;
    do {
      kube::Page page = co_await session_.client.api().listPage(resource, query, next);
      next = page.next;
      seen += page.items.size();
      for (json::Value& item : page.items) see(std::move(item));
    } while (!next.empty());
    co_return true;
  } catch (const kube::Error& error) {
    failed(seen == 0 ? what : fmt::format("{} after the first {}", what, seen), error);
  }
  co_return false;
}

base::Task<std::optional<std::string>> ApiSource::text(std::string what, std::string target, Expected expected) {
  if (lost_) co_return std::nullopt;
  try {
    co_return co_await session_.client.api().text(std::move(target));
  } catch (const kube::Error& error) {
    if (expected == Expected::perhaps && isNone(error))
      contents_.absent(what);
    else
      failed(what, error);
    if (expected == Expected::evenFailing) co_return failingPage(error);
  }
  co_return std::nullopt;
}

base::Task<std::optional<std::string>> ApiSource::relayed(std::string what, std::string target, Expected expected) {
  if (lost_) co_return std::nullopt;
  std::optional<kube::Error> refusal;
  try {
    co_return co_await session_.client.api().text(std::move(target));
  } catch (const kube::Error& error) {
    refusal = error;
  }
  const bool isSilence = refusal->code() == Code::interrupted;
  if (expected == Expected::perhaps && isNone(*refusal))
    contents_.absent(what);
  else if (refusal->code() == Code::unauthorized || (isSilence && co_await stillAnswers()))
    contents_.missing(what, plainText(refusal->what()));
  else
    failed(what, *refusal);
  co_return expected == Expected::evenFailing ? failingPage(*refusal) : std::nullopt;
}

base::Task<bool> ApiSource::stillAnswers() {
  try {
    static_cast<void>(co_await session_.client.api().text("/version"));
    co_return true;
  } catch (const kube::Error& error) {
    co_return error.code() != Code::interrupted&& error.code() != Code::unreachable;
  }
}

void ApiSource::failed(const std::string& what, const std::exception& error) {
  const Failure failure = explain(error, session_.server);
  const auto* kube = dynamic_cast<const kube::Error*>(&error);
  if (kube != nullptr && isPathUnknown(*kube)) return contents_.absent(what);
  contents_.missing(what, failure.what());
  const bool isOne = kube != nullptr && kube->code() == Code::badAnswer;  // of one kind, or page
  if (failure.code() == ExitCode::unreachable && !isOne) {
    contents_.missing("everything else of the API", "it was not asked any more");
    lost_ = failure;
  }
}

base::Task<void> ApiSource::file(std::string folder, kube::Resource resource, kube::ListQuery query, Keep keep) {
  NamespacedFiles files(contents_, std::move(folder), resource.name());
  co_await each(std::move(resource), std::move(query), [&](json::Value object) {
    if (!keep || keep(object)) files.add(std::move(object));
  });
  files.close();
}

void NamespacedFiles::add(json::Value object) {
  const std::string space = json::textAt(object, {"metadata", "namespace"});
  if (open_ && space != namespace_) close();
  if (!open_) open_.emplace(contents_.spool());
  namespace_ = space;
  open_->append("---\n" + json::toYaml(contents_.redaction().object(std::move(object))));
  ++count_;
}

void NamespacedFiles::close() {
  if (!open_) return;
  const std::string place = namespace_.empty() ? "" : pathWord(namespace_) + "/";
  contents_.addRedacted(fmt::format("{}/{}{}.yaml", folder_, place, pathWord(name_)),
                        fmt::format("{} object{}", count_, count_ == 1 ? "" : "s"), *open_);
  open_.reset();
  count_ = 0;
}

}  // namespace ingot::cli::bundle
