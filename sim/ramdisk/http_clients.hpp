// One client per origin for all ramdisks of the fleet: Ironic accepts with a backlog of 5, so connections must be few.
#pragma once

#include "net/client.hpp"

#include <map>
#include <memory>
#include <string>

namespace ingot::sim::ramdisk {

class HttpClients {
 public:
  explicit HttpClients(net::HttpTransport& transport) : transport_(transport) {}

  // Throws net::HttpError{badRequest} when the URL is none.
  [[nodiscard]] base::Task<net::HttpResponse> send(std::string method, std::string url, net::Headers headers = {},
                                                   std::string body = {});
  [[nodiscard]] base::Task<std::unique_ptr<net::HttpStream>> open(std::string url);

 private:
  [[nodiscard]] net::HttpClient& clientFor(const std::string& url, std::string& target);
  net::HttpTransport& transport_;
  std::map<std::string, std::unique_ptr<net::HttpClient>> clients_;
};

}  // namespace ingot::sim::ramdisk
