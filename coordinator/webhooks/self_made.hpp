// Webhooks without cert-manager: the coordinators make the certificate themselves, share it in a Secret, and write its
// authority into every configuration and CustomResourceDefinition that sends reviews to their Service.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "coordinator/webhooks/registrations.hpp"
#include "kube/client/client.hpp"
#include "kube/core/secret.hpp"
#include "net/certificates.hpp"

#include <optional>
#include <string>

namespace ingot::coordinator::webhooks {

inline constexpr std::string_view selfMadeSecret = "ingot-webhook-certificates";

struct SelfMadeOptions {
  std::string namespace_;                          // of Service and Secret
  std::string service = "ingot-webhook-service";   // whose names the certificate is good for
  base::Duration look = std::chrono::minutes(10);  // whether it is time for another one
  base::Duration again = std::chrono::seconds(5);  // after an error
};

class SelfMadeCertificates {
 public:
  // `client` outlives it.
  SelfMadeCertificates(base::Runtime runtime, kube::Client& client, SelfMadeOptions options);

  // Makes the certificate where there is none and long before it runs out, and keeps the authority where it belongs,
  // whatever comes first. Any number of replicas may do so side by side. Until cancelled.
  [[nodiscard]] base::Task<void> run();

  // Throws base::Error as long as there is none.
  [[nodiscard]] const net::KeyPair& pair() const;

 private:
  struct Watched;

  [[nodiscard]] base::Task<void> keepPair();
  void take(const kube::Secret& secret);
  [[nodiscard]] base::Task<std::string> pass(Watched& watched);
  [[nodiscard]] base::Task<void> spread(Watched& watched);
  template <class Write>
  [[nodiscard]] base::Task<bool> tryOne(std::string name, Write write);
  [[nodiscard]] base::Task<void> spreadTo(std::string definition);
  template <Type type>
  [[nodiscard]] base::Task<void> spreadTo(Configuration<type> configuration);
  [[nodiscard]] bool needsBundle(const ClientConfig& config) const;
  [[nodiscard]] kube::Secret made(const std::optional<kube::Secret>& stored) const;
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool isUsable(const kube::Secret& secret) const;

  base::Runtime runtime_;
  kube::Client& client_;
  SelfMadeOptions options_;
  std::optional<net::KeyPair> pair_, next_;  // used now, and once its authority is everywhere
  std::string authorities_;                  // PEM: the present one and those of before, as long as they are good
  std::string trouble_;                      // of the last pass, with some of the objects
};

}  // namespace ingot::coordinator::webhooks
