#include "cli/parse/parse.hpp"

#include "base/error.hpp"
#include "cli/decide/goal.hpp"
#include "cli/parse/choices.hpp"
#include "cli/parse/misuse.hpp"
#include "cli/parse/operands.hpp"
#include "cli/parse/values.hpp"
#include "cli/render/pool_argument.hpp"
#include "cli/words/duration.hpp"
#include "cli/words/host_range.hpp"

#include <CLI/CLI.hpp>

#include <sstream>

namespace ingot::cli {
namespace {

// One of the names of a map; the message lists those of its first line only, where `listed` says so.
template <class E>
CLI::Option* addWord(CLI::App& app, const std::string& flags, E& into, const std::map<std::string, E>& words,
                     const std::string& doc, const std::string& listed) {
  return app.add_option_function<std::string>(
      flags,
      [&into, &words, listed](const std::string& word) {
        const auto found = words.find(word);
        if (found == words.end()) throw CLI::ValidationError("\"" + word + "\" is not one of " + listed);
        into = found->second;
      },
      doc + ": " + listed);
}

// The options of every command, each bound to its place. Lives as long as the parsing.
class CommandLine {
 public:
  CommandLine() : app_("Looks at and steers the servers that Ingot manages.", "ingotctl") {
    app_.require_subcommand(1);
    app_.fallthrough();
    app_.add_option("--kubeconfig", cluster_.kubeconfig,
                    "Which file says how to reach the cluster; else $KUBECONFIG, ~/.kube/config")
        ->type_name(kFile);
    app_.add_option("--context", cluster_.context, "Which of its contexts to use; else the current one")
        ->type_name("NAME");
    app_.add_option("-n,--namespace", cluster_.namespace_, "Where to look; else the context's namespace")
        ->type_name("NAME");
    addApply();
    addGet();
    addDescribe();
    addWhy();
    addTree();
    addRetry();
    addPower();
    addInspect();
    addReadings();
    addWait();
    addWatch();
    addAgents();
    addRender();
    addConvert();
    addValidate();
    addShadow();
    addSupportBundle();
    addVersion();
    addCompletion();
  }

  Parsed parse(std::vector<std::string> arguments) {
    std::ranges::reverse(arguments);  // as CLI11 wants them
    try {
      app_.parse(std::move(arguments));
      return {.invocation = Invocation{cluster_, command()}};
    } catch (const CLI::ParseError& stop) {
      if (stop.get_exit_code() != 0) return {.text = misuse(app_, stop), .isError = true};
      std::ostringstream help;
      app_.exit(stop, help, help);
      return {.text = help.str()};
    } catch (const base::InvalidInput& bad) {
      return {.text = bad.what(), .isError = true};
    }
  }

  CommandNode tree() { return nodeOf(app_); }

 private:
  CLI::App& add(CLI::App& parent, const std::string& name, const std::string& doc) {
    return *parent.add_subcommand(name, doc)->fallthrough();
  }

  static void addManifests(CLI::App& app, std::vector<std::string>& files, bool& recursive) {
    app.add_option("-f,--filename", files, "Manifests: files, folders, - for standard input")
        ->required()
        ->type_name(kFile);
    app.add_flag("-R,--recursive", recursive, "Folders with what is below them");
  }

  void addApply() {
    CLI::App& app =
        add(app_, "apply", "Create what manifests describe, or change it to that; kubectl apply and this one agree");
    addManifests(app, apply_.files, apply_.recursive);
    app.add_flag("--dry-run", apply_.dryRun, "Let the server check everything and store nothing");
    choose(app, apply_);
  }

  void addGet() {
    CLI::App& app = add(app_, "get", "List hosts, agents, machines, clusters or addresses");
    addWord(app, "kind", get_.subject, subjects, "What to list", kSubjects)->required()->type_name(kSubject);
    app.add_option("names", get_.names, "Only these; node[01-12,20] stands for many")->type_name(kHosts);
    addWord(app, "-o,--output", get_.format, formats, "How to show them", "table, wide, json, yaml, name")
        ->type_name("FORMAT");
    app.add_option("-l,--selector", get_.selector, "Only those with these labels, like rack=7")->type_name("LABELS");
    app.add_flag("-A,--all-namespaces", get_.allNamespaces, "Those of every namespace");
    app.add_flag("-w,--watch", get_.watch, "Go on and show every change");
    app.add_flag("--no-headers{false}", get_.heads, "Leave the heads of the columns out");
    choose(app, get_);
  }

  void addDescribe() {
    CLI::App& app = add(app_, "describe", "All that is known of a host or a machine, and why it is not further");
    addSubjects(app, describe_, "Show hosts in full", "Show machines in full");
  }

  void addWhy() {
    CLI::App& app = add(app_, "why", "Why a host or a machine is not further, since when, and what comes next");
    addSubjects(app, why_, "Why hosts are not further", "Why machines are not further");
  }

  void addRetry() {
    CLI::App& app = add(app_, "retry", "Clear what blocks a new attempt, and try it");
    addSubjects(app, retry_, "Take the mark unhealthy off, forget failed provisionings, try again",
                "The same for its host, and try again");
  }

  void addTree() {
    CLI::App& app = add(app_, "tree", "A cluster from its control plane to its addresses");
    app.require_subcommand(1);
    CLI::App& cluster = add(app, "cluster", "What it is made of, and the first thing on each branch that is not ready");
    cluster.add_option("name", tree_.cluster, "Name of the Cluster: column CLUSTER of ingotctl get clusters")
        ->required()
        ->type_name(kClusters);
    choose(cluster, tree_);
  }

  // `command host NAMES` and `command machine NAMES`.
  template <class C>
  void addSubjects(CLI::App& app, C& command, const std::string& ofHosts, const std::string& ofMachines) {
    app.require_subcommand(1);
    const auto one = [&](const std::string& word, const char* type, Subject subject, const std::string& doc) {
      CLI::App& sub = add(app, word, doc);
      addNames(sub, command.names, type);
      sub.callback([this, &command, subject] {
        command.subject = subject;
        chosen_ = [&command] { return Command(command); };
      });
    };
    one("host", kHosts, Subject::hosts, ofHosts);
    one("machine", kMachines, Subject::machines, ofMachines);
  }

  void addPower() {
    CLI::App& app = add(app_, "power", "Ask for power on, off, a reboot, an NMI; the coordinator carries it out");
    app.require_subcommand(1);
    const auto verb = [&](PowerVerb value, const std::string& name, const std::string& doc) -> CLI::App& {
      CLI::App& sub = add(app, name, doc);
      addHosts(sub, power_.hosts);
      sub.callback([this, value, &sub] {
        power_.verb = value;
        const auto* timeout = sub.get_option_no_throw("--timeout");
        // A BMC may be away for ten minutes, after the host was switched off.
        if (value == PowerVerb::acCycle && timeout->empty()) power_.timeout = std::chrono::minutes(20);
        chosen_ = [this] { return Command(power_); };
      });
      return sub;
    };
    const auto writing = [&](CLI::App& sub) {
      sub.add_flag("--wait", power_.wait, "Return when it is so");
      addDuration(sub, "--timeout", power_.timeout, "How long --wait, or a wave, waits at most");
      addWaves(sub, power_.waves);
    };
    const auto hard = [&](CLI::App& sub) { sub.add_flag("--hard", power_.hard, "Do not ask the operating system"); };
    writing(verb(PowerVerb::on, "on", "Set spec.online: true"));
    CLI::App& off = verb(PowerVerb::off, "off", "Set spec.online: false");
    CLI::App& reboot = verb(PowerVerb::reboot, "reboot", "Set the annotation reboot.metal3.io");
    for (CLI::App* sub : {&off, &reboot}) {
      writing(*sub);
      hard(*sub);
    }
    writing(verb(PowerVerb::nmi, "nmi",
                 "Interrupt the operating system once, for a crash dump (annotation ingot.dev/nmi)"));
    writing(verb(PowerVerb::acCycle, "ac-cycle",
                 "Off, then without input power for a moment, the BMC too (annotation ingot.dev/ac-cycle)"));
    CLI::App& status = verb(PowerVerb::status, "status", "Show what is known and what is wanted");
    addWord(status, "-o,--output", power_.format, plainFormats, "How to show it", "table, json, yaml")
        ->type_name("FORMAT");
  }

  void addInspect() {
    CLI::App& app = add(app_, "inspect", "Ask for a new inspection of the hardware");
    addHosts(app, inspect_.hosts);
    app.add_flag("--wait", inspect_.wait, "Return when it is done");
    addDuration(app, "--timeout", inspect_.timeout, "How long --wait waits at most");
    choose(app, inspect_);
  }

  CLI::App& addReading(const std::string& name, const std::string& doc, auto& command) {
    CLI::App& app = add(app_, name, doc);
    addHosts(app, command.hosts);
    addCoordinator(app, command);
    return app;
  }

  void addCoordinator(CLI::App& app, auto& command) {
    app.add_option("--coordinator", command.coordinator,
                   "URL of the coordinator's metrics, where the cluster does not pass the question on; "
                   "else $INGOT_COORDINATOR")
        ->type_name("URL");
    addWord(app, "-o,--output", command.format, plainFormats, "How to show it", "table, json, yaml")
        ->type_name("FORMAT");
    choose(app, command);
  }

  void addReadings() {
    addReading("inventory", "The hardware that the last inspection has found", inventory_);
    const auto one = [this](const std::string& name, Reading what, const std::string& doc) {
      CLI::App& app = addReading(name, doc, readings_);
      app.callback([this, what] {
        readings_.what = what;
        chosen_ = [this] { return Command(readings_); };
      });
    };
    one("sensors", Reading::sensors, "What the sensors of hosts read, as agents have seen them last");
    one("logs", Reading::logs, "The end of the logs of hosts' BMCs");
  }

  void addWait() {
    CLI::App& app = add(app_, "wait", "Return when hosts have come to a state");
    addHosts(app, wait_.hosts);
    app.add_option("--for", wait_.goal,
                   "provisioned, available or another state; power=on|off; condition=TYPE[=STATUS]; deleted")
        ->required()
        ->type_name("GOAL");
    addDuration(app, "--timeout", wait_.timeout, "How long to wait at most");
    choose(app, wait_);
  }

  void addWatch() {
    CLI::App& app = add(app_, "watch", "Changes of hosts, each as it happens: state, power, health, errors");
    app.add_option("names", watch_.hosts, "Only these; node[01-12,20] stands for many")->type_name(kHosts);
    app.add_option("-l,--selector", watch_.selector, "Only those with these labels, like rack=7")->type_name("LABELS");
    app.add_flag("-A,--all-namespaces", watch_.allNamespaces, "Those of every namespace");
    addDuration(app, "--timeout", watch_.timeout, "Stop after so long; 0s: never");
    addWord(app, "-o,--output", watch_.format, lineFormats, "How to show them", "table, json")->type_name("FORMAT");
    choose(app, watch_);
  }

  void addAgents() {
    CLI::App& app = add(app_, "agents", "Say which agents may serve");
    app.require_subcommand(1);
    CLI::App& approve = add(app, "approve", "Let an agent serve hosts, having compared its fingerprint");
    approve.add_option("agent", approve_.name, "Its name, see ingotctl get agents")->required()->type_name(kAgents);
    approve.add_option("--fingerprint", approve_.fingerprint, "What the agent printed: approve only if it is the same")
        ->type_name("TEXT");
    addNetworks(approve, approve_.networks);
    addLabels(approve, approve_.labels);
    approve.add_flag("--all", approve_.all, "It may serve every host");
    approve.add_flag("--wait", approve_.wait, "Wait for it to show up, and then to be connected");
    addDuration(approve, "--timeout", approve_.timeout, "How long --wait waits at most");
    choose(approve, approve_);
    CLI::App& revoke = add(app, "revoke", "Take the approval back");
    revoke.add_option("agents", revoke_.names, "Their names")->required()->type_name(kAgents);
    choose(revoke, revoke_);
  }

  void addRender() {
    CLI::App& app = add(app_, "render", "Show what a Metal3DataTemplate makes for a machine, without a cluster");
    const auto file = [&](const std::string& flag, std::string& into, const std::string& doc) {
      app.add_option(flag, into, doc)->required()->type_name(kFile);
    };
    file("--template", render_.templateFile, "Manifest of the Metal3DataTemplate, v1beta1 or v1beta2");
    file("--machine", render_.machineFile, "Manifests of the Metal3Machine and its Machine");
    file("--host", render_.hostFile, "Manifest of the BareMetalHost, with its status");
    app.add_option("-f,--filename", render_.files, "More manifests: a Metal3Data, the Secret with the user data")
        ->type_name(kFile);
    app.add_option("--pool", render_.pools, "What a pool gives: NAME=ADDRESS/PREFIX,gateway=ADDRESS,dns=ADDRESS")
        ->type_name("POOL");
    app.add_option("--index", render_.index, "Index of the machine, unless a Metal3Data says it")->type_name("NUMBER");
    app.add_option("--only", render_.only, "Only this document, and nothing beside it")
        ->check(CLI::IsMember({"metaData", "networkData", "userData"}))
        ->type_name("DOCUMENT");
    choose(app, render_);
  }

  void addConvert() {
    CLI::App& app =
        add(app_, "convert", "Show manifests of Cluster API's Metal3 kinds in another version, without a cluster");
    addManifests(app, convert_.files, convert_.recursive);
    addWord(app, "--to", convert_.version, versions, "The version to show", "v1beta1, v1beta2")
        ->required()
        ->type_name("VERSION");
    addWord(app, "-o,--output", convert_.format, documentFormats, "How to show them", "yaml, json")
        ->type_name("FORMAT");
    choose(app, convert_);
  }

  void addValidate() {
    CLI::App& app = add(app_, "validate", "Say what a server would refuse of manifests, without one");
    addManifests(app, validate_.files, validate_.recursive);
    choose(app, validate_);
  }

  void addShadow() {
    CLI::App& app = *add(app_, "shadow", "What a coordinator in shadow would do otherwise").require_subcommand(1);
    addCoordinator(add(app, "report", "The differences that stand, with counts of all decisions"), shadow_);
  }

  void addSupportBundle() {
    CLI::App& app = add(app_, "support-bundle",
                        "Objects, Events, logs, metrics and decisions as one file for who helps; no secrets in it");
    app.add_option("--output", bundle_.output, "The file, which must not be there; else ingot-support-TIME.tar.gz here")
        ->type_name(kFile);
    app.add_flag("-A,--all-namespaces", bundle_.allNamespaces, "Objects of every namespace");
    app.add_option("--coordinator-namespace", bundle_.coordinatorNamespace,
                   "Where the coordinator runs; else wherever a pod with its label is")
        ->type_name("NAME");
    app.add_option("--metrics-url", bundle_.metricsUrls,
                   "Base URL of a coordinator's or an agent's metrics: http://127.0.0.1:PORT; may be given again")
        ->type_name("URL");
    app.add_option("--logs", bundle_.logFiles, "Files with logs to take along, the end of each; may be given again")
        ->type_name(kFile);
    app.add_option("--max-log-size", bundle_.logMebibytes, "MiB of logs in all")
        ->check(CLI::Range(1, 1024))
        ->type_name("MIB");
    choose(app, bundle_);
  }

  void addVersion() {
    CLI::App& app = add(app_, "version", "Versions of this program and of the server");
    app.add_flag("--client", version_.clientOnly, "Of this program only");
    addWord(app, "-o,--output", version_.format, plainFormats, "How to show them", "table, json, yaml")
        ->type_name("FORMAT");
    choose(app, version_);
  }

  void addCompletion() {
    CLI::App& app = add(app_, "completion", "A script that makes the shell complete commands and names");
    addWord(app, "shell", completion_.shell, shells, "Which shell", "bash, zsh, fish")->required()->type_name(kShell);
    choose(app, completion_);
  }

  template <class C>
  void choose(CLI::App& app, C& command) {
    app.callback([this, &command] { chosen_ = [&command] { return Command(command); }; });
  }

  // Ranges and goals are read here, so that a slip in one is a wrong command line.
  Command command() {
    for (auto* names : {&describe_.names, &why_.names, &retry_.names, &get_.names, &power_.hosts, &inspect_.hosts,
                        &wait_.hosts, &watch_.hosts, &inventory_.hosts, &readings_.hosts})
      *names = expandHosts(*names);
    if (!wait_.goal.empty()) static_cast<void>(parseGoal(wait_.goal));
    static_cast<void>(parsePools(render_.pools));
    if (!cluster_.namespace_.empty()) validate_.namespace_ = cluster_.namespace_;
    return chosen_();
  }

  CLI::App app_;
  ClusterChoice cluster_;
  ApplyCommand apply_;
  GetCommand get_;
  DescribeCommand describe_;
  WhyCommand why_;
  TreeCommand tree_;
  RetryCommand retry_;
  PowerCommand power_;
  InspectCommand inspect_;
  InventoryCommand inventory_;
  ReadingsCommand readings_;
  ShadowReportCommand shadow_;
  WaitCommand wait_;
  WatchCommand watch_;
  ApproveCommand approve_;
  RevokeCommand revoke_;
  RenderCommand render_;
  ConvertCommand convert_;
  ValidateCommand validate_;
  SupportBundleCommand bundle_;
  VersionCommand version_;
  CompletionCommand completion_;
  std::function<Command()> chosen_;
};

}  // namespace

Parsed parseCommandLine(std::vector<std::string> arguments) { return CommandLine().parse(std::move(arguments)); }

CommandNode commandTree() { return CommandLine().tree(); }

}  // namespace ingot::cli
