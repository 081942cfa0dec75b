// The Kubernetes API over HTTP: every request comes in here.
#pragma once

#include "apiserver/discovery/discovery.hpp"
#include "apiserver/http/extension.hpp"
#include "apiserver/http/resource_api.hpp"
#include "apiserver/openapi/openapi.hpp"
#include "net/server.hpp"

namespace ingot::apiserver {

class ApiHandler final : public net::HttpHandler {
 public:
  ApiHandler(base::Runtime runtime, Registry& registry, const Catalog& catalog, std::vector<BearerToken> tokens,
             std::vector<ApiExtension> extensions = {});
  [[nodiscard]] bool wantsBody(const net::ServerRequest& head) const override;
  [[nodiscard]] bool isAuthenticated(const net::ServerRequest& request) const override;
  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  // nullopt: the answer has gone out already (a watch).
  [[nodiscard]] base::Task<std::optional<net::HttpResponse>> answer(const net::ServerRequest& request,
                                                                    ReplyStyle& style, net::Responder& out);
  [[nodiscard]] std::optional<net::HttpResponse> document(const net::ServerRequest& request, const Route& route,
                                                          ReplyStyle& style);
  [[nodiscard]] net::HttpResponse health(const net::ServerRequest& request, const Route& route,
                                         const ReplyStyle& style);
  [[nodiscard]] std::optional<net::HttpResponse> resourceList(const Route& route, const ReplyStyle& style);
  [[nodiscard]] net::HttpResponse discovery(const net::ServerRequest& request, bool core, ReplyStyle& style);
  [[nodiscard]] net::HttpResponse openApi(const net::ServerRequest& request, const std::string& path,
                                          const ReplyStyle& style);

  base::Runtime runtime_;
  Registry& registry_;
  std::vector<BearerToken> tokens_;
  std::vector<ApiExtension> extensions_;
  Discovery discovery_;
  OpenApi openApi_;
  ResourceApi resources_;
};

}  // namespace ingot::apiserver
