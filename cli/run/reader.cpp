#include "cli/run/reader.hpp"

#include "kube/core/undecoded.hpp"

namespace ingot::cli {

kube::ObjectKey Reader::keyOf(const json::Value& object) { return kube::keyOf(object); }

base::Task<std::vector<json::Value>> Reader::listRaw(kube::Resource resource, kube::ListQuery query) {
  try {
    co_return (co_await session_.client.api().list(resource, std::move(query))).items;
  } catch (const kube::Error& error) {
    refused(resource.kind, error);
  }
  co_return std::vector<json::Value>();
}

base::Task<std::optional<json::Value>> Reader::findRaw(kube::Resource resource, kube::ObjectKey key) {
  try {
    co_return co_await session_.client.api().get(resource, std::move(key));
  } catch (const kube::Error& error) {
    refused(resource.kind, error);
  }
  co_return std::nullopt;
}

void Reader::refused(std::string_view kind, const kube::Error& error) {
  if (error.code() == kube::Error::Code::notFound) return;
  const Failure failure = explain(error, session_.server);
  if (failure.code() == ExitCode::unreachable) throw error;
  unread_.emplace(kind);
  session_.terminal.note(fmt::format("left out: {}", failure.what()));
}

void Reader::odd(std::string_view kind, const kube::ObjectKey& key, const base::Error& error) {
  unread_.emplace(kind);
  session_.terminal.note(fmt::format("left out: {} {}: {}", kind, key.text(), error.what()));
}

}  // namespace ingot::cli
