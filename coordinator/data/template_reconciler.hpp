// One pass over a Metal3DataTemplate (spec/capm3.md §15.2): it holds our finalizer, shows its indexes at most once a
// second and less often the more they are, and goes when nobody uses it any more.
#pragma once

#include "coordinator/caches/lasting_errors.hpp"
#include "coordinator/data/gate.hpp"
#include "coordinator/data/publication.hpp"
#include "kube/runtime/index.hpp"
#include "kube/runtime/pass.hpp"

#include <map>

namespace ingot::coordinator::data {

struct TemplateWorld {
  const Gate& gate;
  kube::Cache<Metal3DataClaim>& claims;
  kube::Index<Metal3DataClaim>& claimsOf;  // by template
  kube::Cache<Metal3Data>& data;
  kube::Index<Metal3Data>& dataOf;  // by template
};

class TemplateReconciler final : public kube::ObjectReconciler<Metal3DataTemplate> {
 public:
  TemplateReconciler(base::Runtime runtime, kube::PassWorld<Metal3DataTemplate> world, TemplateWorld templates);

  // What is left of the time until its indexes may be shown again.
  [[nodiscard]] base::Duration untilPublication(const kube::ObjectKey& dataTemplate) const;

 private:
  struct Shown {
    base::MonoTime at;
    std::size_t entries = 0;
    bool whole = true;
  };

  base::Task<kube::Next> run(kube::Pass<Metal3DataTemplate>& dataTemplate) override;
  void gone(const kube::ObjectKey& key) override;

  [[nodiscard]] base::Task<kube::Next> act(kube::Pass<Metal3DataTemplate>& dataTemplate);
  // nullopt: what is shown is true, or will be with the next save.
  [[nodiscard]] std::optional<base::Duration> publish(kube::Pass<Metal3DataTemplate>& dataTemplate);
  [[nodiscard]] std::vector<std::shared_ptr<const Metal3Data>> dataOf(const kube::ObjectKey& key) const;
  // "": nothing any more. Otherwise for people.
  [[nodiscard]] std::string waitsFor(const Metal3DataTemplate& dataTemplate) const;
  void release(kube::Pass<Metal3DataTemplate>& dataTemplate);

  base::Runtime runtime_;
  TemplateWorld templates_;
  LastingErrorEvents<Metal3DataTemplate> errors_;
  std::map<kube::ObjectKey, Shown> shown_;
  std::map<kube::ObjectKey, std::string> told_;  // the uid of a template whose deletion waits
};

// An update worth a pass. What we publish is not.
[[nodiscard]] bool mattersToTemplate(const Metal3DataTemplate& before, const Metal3DataTemplate& after);

}  // namespace ingot::coordinator::data
