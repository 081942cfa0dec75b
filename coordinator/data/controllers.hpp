// Templates, claims and data of machines as one thing to start, with what they read.
#pragma once

#include "coordinator/caches/caches.hpp"
#include "coordinator/data/claim_reconciler.hpp"
#include "coordinator/data/data_reconciler.hpp"
#include "coordinator/data/template_reconciler.hpp"
#include "kube/runtime/manager.hpp"

namespace ingot::coordinator::data {

struct ControllersWorld {
  kube::Client& client;
  base::Metrics& page;
  Caches& caches;
  AddressCaches& addresses;
  std::vector<std::string> namespaces = {};  // of the Secrets that are rendered; empty: all
  std::string watchFilter = {};  // label cluster.x-k8s.io/watch-filter of the templates and data to look at; "": all
  NamedBy addressClaims = NamedBy::data;
  kube::Tuning templateTuning = {}, dataTuning = {};  // the first is that of claims, too
};

class Controllers {
 public:
  Controllers(base::Runtime runtime, ControllersWorld world);
  ~Controllers();

  [[nodiscard]] std::vector<kube::Managed> managed();

 private:
  using Keys = std::vector<kube::ObjectKey>;
  template <class Claim>
  struct Strays;

  void watchForTemplates();
  [[nodiscard]] base::Duration untilShown(const kube::ObjectKey& dataTemplate) const;
  void watchForClaims();
  void watchForData();
  template <class Claim>
  void watchAddresses(kube::Cache<Claim>& claims, kube::Cache<typename ClaimKind<Claim>::Address>& addresses);

  // Data that own the claim, and those that wait for its name.
  template <class Claim>
  [[nodiscard]] Keys waitingFor(const Claim& claim) const;
  // Those that wait for something.
  [[nodiscard]] Keys openClaims(const std::set<kube::ObjectKey>& claims) const;
  // Data that wait for something, by what they may wait for.
  [[nodiscard]] Keys openOf(const std::set<kube::ObjectKey>& data) const;
  [[nodiscard]] Keys openOfMachine(const kube::ObjectKey& metalMachine) const;
  [[nodiscard]] Keys openOfHost(const api::BareMetalHost& host) const;

  // Nothing is concluded before everything is known.
  [[nodiscard]] base::Task<void> run(kube::Controller& controller);

  base::Runtime runtime_;
  Caches& caches_;
  AddressCaches& addressCaches_;
  kube::Cache<SecretHeader> secrets_;
  kube::Index<Metal3DataClaim> claimsOfTemplate_, claimsOfCluster_, claimsOfMachine_;
  kube::Index<Metal3Data> dataOfTemplate_, dataOfClaim_, dataOfCluster_, dataOfSecret_;
  IndexBook indexes_;
  kube::EventRecorder events_;
  Gate gate_;
  UnseenClusters unseenClusters_;
  AddressClaims addresses_;
  RenderedSecrets renderedSecrets_;
  TemplateReconciler templateReconciler_;
  ClaimReconciler claimReconciler_;
  DataReconciler dataReconciler_;
  kube::Controller templateController_, claimController_, dataController_;
  std::unique_ptr<Strays<IPClaim>> strays_;
  std::unique_ptr<Strays<IPAddressClaim>> capiStrays_;
  std::vector<kube::Subscription> subscriptions_;
};

}  // namespace ingot::coordinator::data
