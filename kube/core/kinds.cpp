// The kinds of Kubernetes' own that we read or write.
#include "kube/core/condition.hpp"
#include "kube/core/config_map.hpp"
#include "kube/core/event.hpp"
#include "kube/core/lease.hpp"
#include "kube/core/namespace.hpp"
#include "kube/core/node.hpp"
#include "kube/core/secret.hpp"

namespace ingot::kube {
namespace {

constexpr std::string_view configMapNames[] = {"cm"};
constexpr std::string_view eventNames[] = {"ev"};
constexpr std::string_view namespaceNames[] = {"ns"};
constexpr std::string_view nodeNames[] = {"no"};

}  // namespace

constinit const KindInfo Secret::info{.version = "v1", .kind = "Secret", .plural = "secrets"};

constinit const KindInfo ConfigMap::info{
    .version = "v1", .kind = "ConfigMap", .plural = "configmaps", .shortNames = configMapNames};

constinit const KindInfo Event::info{.version = "v1", .kind = "Event", .plural = "events", .shortNames = eventNames};

constinit const KindInfo Namespace::info{.version = "v1",
                                         .kind = "Namespace",
                                         .plural = "namespaces",
                                         .namespaced = false,
                                         .statusSubresource = true,
                                         .shortNames = namespaceNames};

constinit const KindInfo Node::info{.version = "v1",
                                    .kind = "Node",
                                    .plural = "nodes",
                                    .namespaced = false,
                                    .statusSubresource = true,
                                    .shortNames = nodeNames};

constinit const KindInfo Lease::info{
    .group = "coordination.k8s.io", .version = "v1", .kind = "Lease", .plural = "leases"};

}  // namespace ingot::kube

template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::Condition>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::ConfigMap>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::Event>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::Lease>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::Namespace>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::Node>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::Secret>();
