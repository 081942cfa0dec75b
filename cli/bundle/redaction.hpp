// What of an object, or of a text, may leave the cluster. Pure.
#pragma once

#include "json/value.hpp"

#include <set>
#include <string>
#include <string_view>

namespace ingot::cli::bundle {

// Each is one place where a secret can stand. Tests leave one out to see that without it a planted secret is found.
enum class Rule {
  lastApplied,         // annotations of those who apply: whole manifests, stringData of Secrets included
  foreignAnnotations,  // values of annotations that neither Metal3, Cluster API, Kubernetes nor Ingot reads
  secrets,             // of a Secret: its type, labels, owners, names of keys and sizes
  configMaps,          // of a ConfigMap: names of keys and sizes, as it may hold anything
  environment,         // values of environment variables that are not known to be harmless
  freeValues,          // what a user hands on unseen: meta data of a template, variables of a topology
  telltaleNames,       // members that are called a password, a token, parameters of a kernel
  assignments,         // password=…, "token": "…", Authorization: … in the middle of a text
  privateKeys,         // PEM
  userInfo,            // user:password@ of URLs
  queries,             // of URLs: an address that is signed is a password for what it names
};

class Redaction {
 public:
  Redaction() = default;
  [[nodiscard]] Redaction without(Rule rule) const;

  // A Kubernetes object, of any kind.
  [[nodiscard]] json::Value object(json::Value object) const;
  // Lines of a log, an error, a page of metrics.
  [[nodiscard]] std::string text(std::string_view text) const;

 private:
  [[nodiscard]] bool has(Rule rule) const { return !leftOut_.contains(rule); }
  void metadata(json::Object& metadata) const;
  void annotations(json::Object& annotations) const;
  void members(json::Object& object, bool insideTopology) const;
  void walk(json::Value& value, bool insideTopology) const;

  std::set<Rule> leftOut_;
};

}  // namespace ingot::cli::bundle
