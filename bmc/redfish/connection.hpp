// The conversation with one Redfish service: login, headers, retries, redirects, errors (spec/bmc.md §2, §3).
#pragma once

#include "bmc/driver.hpp"
#include "bmc/redfish/error_body.hpp"
#include "bmc/redfish/resources.hpp"

#include <optional>

namespace ingot::bmc::redfish {

struct ConnectionOptions {
  std::string baseUrl;  // scheme://host[:port]
  std::string rootPath = "/redfish/v1/";
  Login login;
  bool verifyCertificate = true;
  std::string caFile;
};

// An answer that is not 2xx, kept whole for callers that know what to make of it.
struct Refusal {
  int status = 0;
  ErrorBody body;
};

// Prefers a session; a service without one gets Basic. Logs in at most once per request, and never again after a
// refused password: the governor decides when to try again. One request at a time (the governor's rule).
class Connection {
 public:
  Connection(base::Runtime runtime, net::HttpTransport& transport, ConnectionOptions options);
  ~Connection();

  // The service root, read once; without credentials as long as there is no login.
  [[nodiscard]] base::Task<ServiceRoot> root();

  // Throws Error. 5xx is tried again within a bound, honouring Retry-After.
  template <class Resource>
  [[nodiscard]] base::Task<Resource> get(std::string path) {
    const json::Value value = co_await getValue(path);
    try {
      co_return json::decode<Resource>(value);
    } catch (const base::Error& error) {
      throw Error(Error::Code::protocol, fmt::format("{}{}: {}", options_.baseUrl, path, error.what()));
    }
  }

  // Sent once, if `permit` allows. nullopt: accepted (2xx). A refusal comes back for the caller to judge; no answer is
  // Error{outcomeUnknown}; the rest throws.
  [[nodiscard]] base::Task<std::optional<Refusal>> post(std::string path, std::string body, WritePermit permit);

  // Deletes the session. Never throws. Later requests throw Error{notPermitted}.
  [[nodiscard]] base::Task<void> close();

 private:
  [[nodiscard]] base::Task<json::Value> getValue(std::string path);
  [[nodiscard]] base::Task<net::HttpResponse> exchange(net::HttpRequest request, base::Duration limit);
  [[nodiscard]] base::Task<net::HttpResponse> authorized(net::HttpRequest request, WritePermit permit);
  [[nodiscard]] base::Task<net::HttpResponse> permitted(net::HttpRequest request, WritePermit permit);
  [[nodiscard]] base::Task<net::HttpResponse> followed(const net::HttpRequest& request, WritePermit permit);
  [[nodiscard]] base::Task<void> logIn();
  [[nodiscard]] base::Task<void> deleteSession();  // never throws
  [[nodiscard]] base::Task<std::string> sessionsPath();
  void authorize(net::HttpRequest& request) const;
  [[nodiscard]] ErrorBody errorIn(const net::HttpResponse& response) const;
  [[nodiscard]] Error refusalOfResource(const std::string& path, int status, const ErrorBody& body) const;
  [[nodiscard]] Error refusal(const std::string& path, int status, const ErrorBody& body) const;

  base::Runtime runtime_;
  ConnectionOptions options_;
  std::unique_ptr<net::HttpClient> client_;
  std::optional<ServiceRoot> root_;
  bool closed_ = false;
  bool identityOnly_ = true;  // asks for plain answers: some BMCs compress badly, a few refuse to be asked (406)
  bool basic_ = false;        // the service has no usable sessions
  base::Secret token_;
  std::string sessionPath_;
};

}  // namespace ingot::bmc::redfish
