// The API as a bundle reads it: what it does not give is told and left out; one that is lost is not asked again.
#pragma once

#include "cli/run/bundle/contents.hpp"
#include "cli/run/session.hpp"

#include <functional>
#include <optional>

namespace ingot::cli::bundle {

class ApiSource {
 public:
  // Both outlive this.
  ApiSource(Session& session, Contents& contents) : session_(session), contents_(contents) {}

  // Each object, page by page: what was read of a page is gone before the next one is. False when they, or the rest of
  // them, could not be had.
  using See = std::function<void(json::Value)>;
  [[nodiscard]] base::Task<bool> each(kube::Resource resource, kube::ListQuery query, See see);

  // `Expected::perhaps`: that there is none is as it should be; `evenFailing`: of a page that says why it fails, that
  // is what could be had, beside the error.
  enum class Expected { surely, perhaps, evenFailing };
  [[nodiscard]] base::Task<std::optional<std::string>> text(std::string what, std::string target,
                                                            Expected expected = Expected::surely);

  // What the API server asks of a pod, or of its kubelet, in our place: that they refuse, or are silent, says nothing
  // of the API, which is looked at before it is given up.
  [[nodiscard]] base::Task<std::optional<std::string>> relayed(std::string what, std::string target,
                                                               Expected expected = Expected::surely);
  // Tells what could not be had, and whether the API is lost with it.
  void failed(const std::string& what, const std::exception& error);

  // One kind in one file a namespace; `keep` false leaves an object out.
  using Keep = std::function<bool(const json::Value&)>;
  [[nodiscard]] base::Task<void> file(std::string folder, kube::Resource resource, kube::ListQuery query,
                                      Keep keep = nullptr);

  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] Contents& contents() { return contents_; }
  // Why nothing more is asked; nullopt: it answers.
  [[nodiscard]] const std::optional<Failure>& lost() const { return lost_; }

 private:
  [[nodiscard]] base::Task<bool> stillAnswers();

  Session& session_;
  Contents& contents_;
  std::optional<Failure> lost_;
};

// What a page says that is answered with an error; nullopt: nothing, or the API itself has refused.
[[nodiscard]] std::optional<std::string> failingPage(const kube::Error& error);

// Objects of one kind as YAML, in a file for each namespace, as they come.
class NamespacedFiles {
 public:
  // `contents` outlives this.
  NamespacedFiles(Contents& contents, std::string folder, std::string name)
      : contents_(contents), folder_(std::move(folder)), name_(std::move(name)) {}

  void add(json::Value object);
  void close();

 private:
  Contents& contents_;
  std::string folder_, name_, namespace_;
  std::optional<Spool> open_;
  std::size_t count_ = 0;
};

}  // namespace ingot::cli::bundle
