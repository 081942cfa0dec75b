// Whether Kubernetes knows who holds a token, and lets him read a path: a TokenReview and a SubjectAccessReview, as
// Metal3's managers ask for their metrics. Answers are remembered for a while, so that a scraper costs no more than one
// look a minute; only a few are asked for at a time, so that strangers who make up tokens cost Kubernetes little.
// Tokens that were good lately have a place in memory and among the questions that strangers cannot take.
#pragma once

#include "base/error.hpp"
#include "base/runtime.hpp"
#include "base/secret.hpp"
#include "kube/client/api.hpp"

#include <cstdint>
#include <list>
#include <optional>
#include <string>

namespace ingot::coordinator::diagnostics {

enum class Verdict : std::uint8_t { allowed, stranger, forbidden };

class Busy final : public base::Error {
 public:
  Busy() : Error("too many tokens are being looked up") {}
};

class Access {
 public:
  // `api` outlives this; its own account must be allowed to create both reviews.
  Access(base::Runtime runtime, kube::Api& api) : runtime_(std::move(runtime)), api_(api) {}

  // Throws kube::Error when Kubernetes does not answer, Busy when too many others are being looked up.
  [[nodiscard]] base::Task<Verdict> mayGet(std::string path, base::Secret token);

 private:
  struct Known {
    std::string path;
    base::Secret token;
    Verdict verdict;
    base::MonoTime at;

    [[nodiscard]] base::Duration lasts() const;
  };
  using Memory = std::list<Known>;  // the newest first, one a path and token
  [[nodiscard]] static Memory::iterator find(Memory& memory, const std::string& path, const base::Secret& token);
  [[nodiscard]] std::optional<Verdict> remembered(const std::string& path, const base::Secret& token);
  void remember(std::string path, base::Secret token, Verdict verdict);
  [[nodiscard]] bool wasGoodLately(const std::string& path, const base::Secret& token);
  [[nodiscard]] base::Task<Verdict> ask(std::string path, base::Secret token);

  base::Runtime runtime_;
  kube::Api& api_;
  unsigned askingForGood_ = 0, askingForOthers_ = 0;  // of Kubernetes, at this moment
  Memory good_, refused_;
};

}  // namespace ingot::coordinator::diagnostics
