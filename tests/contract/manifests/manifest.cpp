#include "tests/contract/manifests/manifest.hpp"

#include "base/file.hpp"
#include "json/yaml.hpp"

#include <filesystem>

namespace ingot::contract {

namespace {

std::string source(const std::string& path) { return std::string(INGOT_SOURCE_DIR) + "/" + path; }

std::vector<std::string> crdFiles() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source("crds")))
    if (entry.path().extension() == ".yaml" && entry.path().stem() != "kustomization")
      out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

// This version is the only one, so it is the stored one, and nothing is converted.
json::Value alone(json::Value crd, json::Value version) {
  json::Object& spec = crd.at("spec").as_object();
  const std::string group = json::textAt(version, {"name"}) + "." + json::textAt(crd, {"spec", "group"});
  version.as_object()["served"] = true;
  version.as_object()["storage"] = true;
  spec["group"] = group;
  spec["versions"] = json::Array{std::move(version)};
  spec.erase("conversion");
  crd.as_object()["metadata"] = {{"name", json::textAt(crd, {"spec", "names", "plural"}) + "." + group}};
  return crd;
}

Manifest manifestOf(const json::Value& crd, const json::Value& version) {
  const std::string versionName = json::textAt(version, {"name"});
  Manifest out{.name = json::textAt(crd, {"spec", "names", "kind"}) + "." + versionName,
               .definition = alone(crd, version)};
  const std::string file = source("tests/data/manifests/" + out.name);
  out.document = json::parseYamlValue(base::readFile(file + ".yaml"));
  out.document.as_object()["apiVersion"] = json::textAt(out.definition, {"spec", "group"}) + "/" + versionName;
  out.cases = readCases(file + ".tsv");
  return out;
}

}  // namespace

const json::Value& Manifest::schema() const {
  return definition.at("spec").at("versions").at(0).at("schema").at("openAPIV3Schema");
}

bool Manifest::servesStatus() const {
  return json::find(definition.at("spec").at("versions").at(0), {"subresources", "status"}) != nullptr;
}

std::string Manifest::collection(const std::string& space) const {
  const bool namespaced = json::textAt(definition, {"spec", "scope"}) == "Namespaced";
  return "/apis/" + json::textAt(document, {"apiVersion"}) + (namespaced ? "/namespaces/" + space : "") + "/" +
         json::textAt(definition, {"spec", "names", "plural"});
}

std::vector<Manifest> manifests() {
  std::vector<Manifest> out;
  for (const auto& file : crdFiles()) {
    const json::Value crd = json::parseYamlValue(base::readFile(file));
    for (const auto& version : crd.at("spec").at("versions").as_array()) out.push_back(manifestOf(crd, version));
  }
  return out;
}

}  // namespace ingot::contract
