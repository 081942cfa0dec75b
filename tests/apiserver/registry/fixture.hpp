// A registry over a store on a disk in memory, under virtual time, with one custom kind (Host, with status).
#pragma once

#include "apiserver/registry/registry.hpp"
#include "json/patch.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

namespace ingot::apiserver::tests {

inline ResourceInfo hostInfo() {
  ResourceInfo info;
  info.group = "metal3.io";
  info.plural = "hosts";
  info.singular = "host";
  info.kind = "Host";
  info.listKind = "HostList";
  info.custom = true;
  info.hasGeneration = true;
  info.versions = {{.name = "v1alpha1", .statusSubresource = true}};
  info.storageVersion = "v1alpha1";
  return info;
}

struct Api {
  ingot::tests::Loop loop;
  std::shared_ptr<MemoryDisk> disk = std::make_shared<MemoryDisk>();
  RegistryOptions registryOptions;  // of the next boot()
  std::unique_ptr<Store> store;
  std::unique_ptr<Registry> registry;

  explicit Api(StoreOptions options = {}) : options_(options) {
    options_.commit = StoreOptions::Commit::inLine;
    boot();
  }
  ~Api() { halt(); }

  void boot() {
    store = std::make_unique<Store>(loop.runtime, openMemoryJournal(disk), options_);
    registry = std::make_unique<Registry>(loop.runtime, *store, registryOptions);
    registry->define(hostInfo(), {});
    run(registry->start());
  }
  void halt() {
    if (!registry) return;
    run(registry->stop());
    registry.reset();
    store.reset();
  }

  template <class T>
  T run(base::Task<T> task) {
    return loop.run(std::move(task));
  }
  // Lets background work come to rest.
  void settle(base::Duration d = std::chrono::seconds(1)) { loop.clock.advance(d); }

  static Target host(std::string name = "", std::string subresource = "") {
    return {"metal3.io", "v1alpha1", "hosts", "default", std::move(name), std::move(subresource)};
  }
  static Target core(std::string resource, std::string name = "", std::string space = "default") {
    return {"", "v1", std::move(resource), std::move(space), std::move(name), ""};
  }
  static Target space(std::string name = "") { return {"", "v1", "namespaces", "", std::move(name), ""}; }

  static json::Value hostBody(std::string name, json::Object spec = {}) {
    return {{"apiVersion", "metal3.io/v1alpha1"}, {"kind", "Host"}, {"metadata", {{"name", name}}}, {"spec", spec}};
  }

  json::Value create(std::string name, json::Object spec = {}) {
    return value(run(registry->create(host(), hostBody(std::move(name), std::move(spec)))));
  }
  json::Value createNamespace(const std::string& name) {
    return value(
        run(registry->create(space(), {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", name}}}})));
  }
  json::Value get(Target target) { return documentOf(*run(registry->get(std::move(target)))); }
  bool exists(const Target& target) {
    try {
      (void)get(target);
      return true;
    } catch (const ApiError& e) {
      if (e.code() == 404) return false;
      throw;
    }
  }
  json::Value put(const std::string& name, json::Value body, std::string subresource = "") {
    return value(run(registry->update(host(name, std::move(subresource)), std::move(body))));
  }
  json::Value merge(Target target, json::Value patch) {
    return value(run(registry->patch(std::move(target), merging(std::move(patch)))));
  }
  Deleted remove(Target target, DeleteOptions how = {}) { return run(registry->remove(std::move(target), how)); }

  static Registry::Change merging(json::Value patch) {
    return [patch = std::move(patch)](json::Value& object) { json::applyMergePatch(object, patch); };
  }
  static json::Value value(const Written& written) { return documentOf(*written.object); }

 private:
  StoreOptions options_;
};

inline std::string text(const json::Value& v, std::initializer_list<std::string_view> path) {
  return json::textAt(v, path);
}
inline std::int64_t number(const json::Value& v, std::initializer_list<std::string_view> path) {
  return json::intAt(v, path).value_or(-1);
}
inline std::string version(const json::Value& v) { return text(v, {"metadata", "resourceVersion"}); }

// The Status that `action` is refused with.
template <class Action>
Status refusal(const Action& action) {
  try {
    action();
  } catch (const ApiError& e) {
    return e.status();
  }
  FAIL("the request was not refused");
  return {};
}

}  // namespace ingot::apiserver::tests
