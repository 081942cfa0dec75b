// CRDs of group test.io, and what their status says.
#pragma once

#include "tests/contract/peer.hpp"

namespace ingot::contract {

inline std::string crdPath(const std::string& plural) { return kCrdPath + "/" + plural + ".test.io"; }
inline std::string objects(const std::string& space, const std::string& plural, const std::string& version = "v1") {
  return "/apis/test.io/" + version + "/namespaces/" + space + "/" + plural;
}
inline std::string object(const std::string& kind, const std::string& name, const std::string& rest = {},
                          const std::string& metadata = {}) {
  return fmt::format(R"({{"apiVersion":"test.io/v1","kind":"{}","metadata":{{"name":"{}"{}}}{}}})", kind, name,
                     metadata, rest);
}

// "True Reason: message" of a condition of a CRD, "" as long as it has none of this type.
inline std::string condition(const std::string& path, std::string_view type) {
  const json::Value crd = peer().get(path).json();
  if (const json::Array* all = json::arrayAt(crd, {"status", "conditions"}))
    for (const auto& one : *all)
      if (json::textAt(one, {"type"}) == type)
        return json::textAt(one, {"status"}) + " " + json::textAt(one, {"reason"}) + ": " +
               json::textAt(one, {"message"});
  return "";
}

// Deletes the CRD and waits until it has gone, with all its objects.
inline void uninstall(const std::string& plural) {
  peer().remove(crdPath(plural));
  peer().eventually([&] { return peer().get(crdPath(plural)).status == 404; });
}

}  // namespace ingot::contract
