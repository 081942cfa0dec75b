#include "bmc/ipmi/home.hpp"

#include "base/file.hpp"

namespace ingot::bmc::ipmi {

void makeHome(const std::string& folder) {
  const std::string place = folder + "/.local/usr/share/misc";
  const std::string file = place + "/enterprise-numbers.txt";
  const std::string names = "0\n  Reserved\n    IANA\n      iana&iana.org\n";
  base::makeFolder(place);
  if (base::readFileIfExists(file) != names) base::writeFileAtomically(file, names, 0600);
}

}  // namespace ingot::bmc::ipmi
