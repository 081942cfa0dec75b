// The term that the agents of a host may have obeyed, carried by the host in a label while `clusterctl move` may take
// it along: where it arrives a coordinator leads with a later one, so that they obey it, and not the one that the host
// comes from (docs/decisions/0034). Pure.
#pragma once

#include "kube/core/object_meta.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::api {

namespace label {
inline constexpr std::string_view term = "ingot.dev/term";
}  // namespace label

struct CarriedTerm {
  std::int64_t term = 0;
  std::string installation;  // whose it is: the beginning of its Lease's uid

  // `lease`: the uid of what counts the terms.
  [[nodiscard]] static CarriedTerm of(std::int64_t term, std::string_view lease);
  // nullopt: the host carries none, or something that is none.
  [[nodiscard]] static std::optional<CarriedTerm> on(const kube::ObjectMeta& host);

  // Another installation's, which ours must get above first: its label stays as it is.
  [[nodiscard]] bool mustYieldTo(const CarriedTerm& other) const;
  // The lowest term that agents obey which have obeyed this one, for installation `lease`. Of another one's it is far
  // above: leaders may have followed there while the host was on its way.
  [[nodiscard]] std::int64_t least(std::string_view lease) const;

  friend bool operator==(const CarriedTerm&, const CarriedTerm&) = default;
};

// What a term does to a host's label; nullopt: no agents are served here, and nothing is changed.
using Carrying = std::optional<CarriedTerm>;
[[nodiscard]] bool carriesTerm(const kube::ObjectMeta& host, const Carrying& ours);
void carryTerm(kube::ObjectMeta& host, const Carrying& ours);
void dropTerm(kube::ObjectMeta& host, const Carrying& ours);

}  // namespace ingot::api
