// As much of a Kubernetes client as kubeadm and a kubelet need.
#pragma once

#include "base/error.hpp"
#include "json/value.hpp"
#include "net/certificates.hpp"
#include "net/client.hpp"

#include <memory>
#include <optional>
#include <string>

namespace ingot::sim::kubelet {

// The server's answer was a refusal.
class ApiError final : public base::Error {
 public:
  ApiError(int status, const std::string& text) : Error(text), status_(status) {}
  [[nodiscard]] int status() const { return status_; }

 private:
  int status_;
};

struct Access {
  std::string serverUrl;
  std::string caPem;
  bool verify = true;   // false: to learn the authority from the server itself
  net::KeyPair client;  // a certificate, or
  base::Secret token;   // a token; neither: anonymous
};

// "/api/v1/nodes", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases".
[[nodiscard]] std::string collectionPath(std::string_view apiVersion, std::string_view plural,
                                         std::string_view ns = {});
[[nodiscard]] std::string pathOf(std::string_view apiVersion, std::string_view plural, std::string_view ns,
                                 std::string_view name);
// Of this object, by what it says of itself.
[[nodiscard]] std::string collectionPath(const json::Value& object);
[[nodiscard]] std::string pathOf(const json::Value& object);

// Every call throws ApiError and net::HttpError.
class Api {
 public:
  Api(net::HttpTransport& transport, const Access& access);

  [[nodiscard]] base::Task<std::optional<json::Value>> get(std::string path);  // nullopt: 404
  [[nodiscard]] base::Task<std::unique_ptr<net::HttpStream>> open(std::string path);
  [[nodiscard]] base::Task<json::Value> create(json::Value object);
  [[nodiscard]] base::Task<json::Value> merge(std::string path, json::Value patch);
  [[nodiscard]] base::Task<bool> createIfAbsent(json::Value object);  // false: it was there
  [[nodiscard]] base::Task<void> createOrMerge(json::Value object);   // its data, where it was there

 private:
  [[nodiscard]] base::Task<net::HttpResponse> send(net::HttpRequest request);

  std::unique_ptr<net::HttpClient> client_;
};

}  // namespace ingot::sim::kubelet
