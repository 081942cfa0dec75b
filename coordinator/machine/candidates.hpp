// The hosts of one namespace that its machines choose from, sorted by what a choice asks for: a machine whom most of
// them suit looks at one or two, however many there are. It begins at a place of its own, so that machines that choose
// at the same time are spread over the hosts; which one it gets depends on nothing but the hosts and the machine.
#pragma once

#include "coordinator/machine/host_choice.hpp"

#include <functional>
#include <map>
#include <string>

namespace ingot::coordinator::machine {

class Candidates {
 public:
  using Filter = std::function<bool(const BareMetalHost&)>;

  // Takes the place of the one of its name. Lent until that one is dropped.
  const BareMetalHost& put(BareMetalHost host);
  // False: there is none of that name.
  bool drop(const std::string& name);
  [[nodiscard]] const std::map<std::string, BareMetalHost>& all() const { return all_; }  // by name

  // By the rules of chooseHost(), among those that `mayHave` admits: hosts kept for the machine's owner, then hosts of
  // its failure domain, then any. Throws as chooseHost(). That no host is free for a selector is found out once until
  // there is one with its labels.
  [[nodiscard]] HostChoice choose(const HostWish& wish, const Filter& mayHave);

 private:
  using ByName = std::map<std::string, const BareMetalHost*>;
  using ByPlace = std::map<std::pair<std::uint64_t, std::string>, const BareMetalHost*>;

  [[nodiscard]] static const BareMetalHost* firstThatFits(const ByPlace& hosts, const HostWish& wish,
                                                          const Filter& mayHave);

  std::map<std::string, BareMetalHost> all_;
  std::map<std::string, ByName> kept_;     // by whom for
  ByPlace free_;                           // for anybody
  std::map<std::string, ByPlace> freeIn_;  // of these the ones with a failure domain, by that
  // By their texts, selectors that none of free_ has the labels for.
  std::map<std::string, HostSelector> unmet_;
};

}  // namespace ingot::coordinator::machine
