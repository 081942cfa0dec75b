// The term that the agents of a host may have obeyed, carried by the host in a label while `clusterctl move` may take
// it along: where it arrives a coordinator leads with a later one, so that they obey it, and not the one that the host
// comes from (docs/decisions/0034). Pure.
#pragma once

#include "base/secret.hpp"
#include "kube/core/object_meta.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::api {

namespace label {
inline constexpr std::string_view term = "ingot.dev/term";
// What the host came with and cannot be opened here, once ours is beside it.
inline constexpr std::string_view earlierTerm = "ingot.dev/earlier-term";
}  // namespace label

struct CarriedTerm {
  std::int64_t term = 0;
  std::string installation;  // whose it is: the beginning of its Lease's uid

  // `lease`: the uid of what counts the terms.
  [[nodiscard]] static CarriedTerm of(std::int64_t term, std::string_view lease);

  // Another installation's, which ours must get above.
  [[nodiscard]] bool mustYieldTo(const CarriedTerm& other) const;
  // The lowest term that agents obey which have obeyed this one, for installation `lease`. Of another one's it is far
  // above: leaders may have followed there while the host was on its way.
  [[nodiscard]] std::int64_t least(std::string_view lease) const;

  friend bool operator==(const CarriedTerm&, const CarriedTerm&) = default;
};

// Makes and reads the label, for one host, with the secret key by which agents know their coordinator: who may write
// hosts can make none.
class TermSeal {
 public:
  explicit TermSeal(base::Secret key) : key_(std::move(key)) {}

  [[nodiscard]] std::string label(const CarriedTerm& carried, const kube::ObjectKey& host) const;
  // What this key has sealed for the host, of all that it carries.
  [[nodiscard]] std::vector<CarriedTerm> on(const kube::ObjectMeta& host) const;
  [[nodiscard]] bool isOn(const std::string& label, const CarriedTerm& carried, const kube::ObjectKey& host) const;

 private:
  base::Secret key_;
};

// What a term does to the labels of hosts. One of another installation stays as it is while ours must get above it. One
// whose seal is not known (yet: the key may follow) stays beside ours: the agents have obeyed us, too, and where the
// host goes from here ours may be the only one that can be opened. Of several such the last one stays.
class Carrying {
 public:
  Carrying() = default;  // no agents are served here: labels are left alone
  Carrying(CarriedTerm ours, TermSeal seal) : with_(With{std::move(ours), std::move(seal)}) {}
  // Labels are left alone. While `isElsewhere`, agents obey a term that is not known here: no host is ready to be
  // moved.
  using IsElsewhere = std::function<bool()>;
  explicit Carrying(IsElsewhere isElsewhere) : isElsewhere_(std::move(isElsewhere)) {}

  // It has all that it must carry.
  [[nodiscard]] bool isOn(const kube::ObjectMeta& host) const;
  void put(kube::ObjectMeta& host) const;
  void drop(kube::ObjectMeta& host) const;
  // What ours must get above.
  [[nodiscard]] std::optional<CarriedTerm> later(const kube::ObjectMeta& host) const;

 private:
  struct With {
    CarriedTerm ours;
    TermSeal seal;
  };
  using Labels = std::map<std::string, std::string>;
  [[nodiscard]] Labels labelsOn(const kube::ObjectMeta& host, bool withOurs) const;

  std::optional<With> with_;
  IsElsewhere isElsewhere_;
};

}  // namespace ingot::api
