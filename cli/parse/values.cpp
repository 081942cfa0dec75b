#include "cli/parse/values.hpp"

#include "base/ip_address.hpp"
#include "cli/words/duration.hpp"
#include "cli/words/host_range.hpp"

namespace ingot::cli {

void addDuration(CLI::App& app, const std::string& flags, base::Duration& into, const std::string& doc) {
  app.add_option_function<std::string>(
         flags,
         [&into, flags](const std::string& text) {
           const auto parsed = parseDuration(text);
           if (!parsed)
             throw CLI::ValidationError(flags + ": \"" + text + "\" is no duration; write it like 90s, 10m or 1h30m");
           into = *parsed;
         },
         doc + ", like 90s or 10m (default " + ageText(into) + ")")
      ->type_name("DURATION");
}

void addWaves(CLI::App& app, Waves& into) {
  auto* atOnce = app.add_option("--at-once", into.atOnce, "So many hosts at a time; the next ones once these are there")
                     ->check(CLI::Range(std::size_t{1}, kMostHosts))
                     ->type_name("NUMBER");
  addDuration(app, "--pause", into.pause, "Between those and the next ones");
  app.get_option("--pause")->needs(atOnce);
  app.add_option("--max-failed", into.mostFailedPercent,
                 "Stop when more than this share of the hosts tried has failed, in percent (default 10)")
      ->check(CLI::Range(0, 100))
      ->type_name("PERCENT")
      ->needs(atOnce);
}

void addNetworks(CLI::App& app, std::vector<std::string>& into) {
  app.add_option("--network", into, "CIDR of BMCs that it may serve; may be given several times")
      ->type_name("CIDR")
      ->each([](const std::string& text) {
        if (!base::IpPrefix::parse(text) && !base::IpAddress::parse(text))
          throw CLI::ValidationError("--network: \"" + text +
                                     "\" is no network; write it like 10.0.0.0/8 or fd00:1::/64");
      });
}

void addLabels(CLI::App& app, std::map<std::string, std::string>& into) {
  app.add_option_function<std::vector<std::string>>(
         "--label",
         [&into](const std::vector<std::string>& pairs) {
           for (const auto& pair : pairs) {
             const auto end = pair.find('=');
             if (end == 0 || end == std::string::npos)
               throw CLI::ValidationError("--label: \"" + pair + "\" is no label; write it like rack=7");
             into[pair.substr(0, end)] = pair.substr(end + 1);
           }
         },
         "Label of hosts that it may serve; given several times, they have all of them")
      ->type_name("KEY=VALUE");
}

}  // namespace ingot::cli
