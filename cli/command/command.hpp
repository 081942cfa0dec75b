// What the user asked for, as values. cli/parse/parse.hpp makes them from a command line.
#pragma once

#include "base/clock.hpp"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ingot::cli {

enum class Format { table, wide, json, yaml, name };

struct ApplyCommand {
  std::vector<std::string> files;  // files, folders, "-"
  bool recursive = false;
  bool dryRun = false;
};

enum class Subject { hosts, agents, machines, clusters, addresses };

struct GetCommand {
  Subject subject = Subject::hosts;
  std::vector<std::string> names;  // empty: all
  std::string selector;            // of labels
  Format format = Format::table;
  bool allNamespaces = false;
  bool watch = false;
  bool heads = true;
};

// `subject` of these three: hosts or machines.
struct DescribeCommand {
  Subject subject = Subject::hosts;
  std::vector<std::string> names;
};

struct WhyCommand {
  Subject subject = Subject::hosts;
  std::vector<std::string> names;
};

struct RetryCommand {
  Subject subject = Subject::hosts;
  std::vector<std::string> names;
};

// What agents have read of hosts.
enum class Reading { sensors, logs };

struct ReadingsCommand {
  Reading what = Reading::sensors;
  std::vector<std::string> hosts;
  std::string coordinator;  // URL that is asked in place of the cluster; "": the cluster
  Format format = Format::table;
};

// HardwareData.
struct InventoryCommand {
  std::vector<std::string> hosts;
  std::string coordinator;  // as in ReadingsCommand
  Format format = Format::table;
};

// What a coordinator in shadow would have done otherwise than Metal3.
struct ShadowReportCommand {
  std::string coordinator;  // its URL; "": $INGOT_COORDINATOR
  Format format = Format::table;
};

struct TreeCommand {
  std::string cluster;
};

enum class PowerVerb { on, off, reboot, nmi, acCycle, status };

// So many hosts at a time.
struct Waves {
  std::size_t atOnce = 0;                          // 0: all of them
  base::Duration pause = std::chrono::seconds(0);  // between two waves
  int mostFailedPercent = 10;                      // of the hosts tried: more, and there is no further wave
};

struct PowerCommand {
  PowerVerb verb = PowerVerb::status;
  std::vector<std::string> hosts;
  bool hard = false;
  bool wait = false;
  base::Duration timeout = std::chrono::minutes(10);
  Waves waves;
  Format format = Format::table;  // of status
};

struct InspectCommand {
  std::vector<std::string> hosts;
  bool wait = false;
  base::Duration timeout = std::chrono::minutes(60);  // a ramdisk may have to boot
};

struct WaitCommand {
  std::vector<std::string> hosts;
  std::string goal;  // cli/decide/goal.hpp
  base::Duration timeout = std::chrono::minutes(30);
};

// Changes of hosts as they happen.
struct WatchCommand {
  std::vector<std::string> hosts;  // empty: all
  std::string selector;            // of labels
  bool allNamespaces = false;
  base::Duration timeout{};       // zero: until it is stopped
  Format format = Format::table;  // table or json
};

struct ApproveCommand {
  std::string name;
  std::string fingerprint;  // what the agent printed; "": as it was approved before
  // What it may serve; nothing of it: as before.
  std::vector<std::string> networks;          // CIDR
  std::map<std::string, std::string> labels;  // of hosts
  bool all = false;
  bool wait = false;  // for it to show up before, and to be connected afterwards
  base::Duration timeout = std::chrono::minutes(2);
};

struct RevokeCommand {
  std::vector<std::string> names;
};

// What somebody who helps needs to see, as one file.
struct SupportBundleCommand {
  std::string output;  // "": named after the time, in the working folder
  bool allNamespaces = false;
  std::string coordinatorNamespace;      // "": where its pods are found
  std::vector<std::string> metricsUrls;  // of coordinators and agents that are reached without the cluster
  std::vector<std::string> logFiles;
  std::size_t logMebibytes = 32;
};

struct VersionCommand {
  bool clientOnly = false;
  Format format = Format::table;
};

// Without a cluster: manifests in, documents out.
struct RenderCommand {
  std::string templateFile, machineFile, hostFile;
  std::vector<std::string> files;  // more of them: Secrets, a Metal3Data
  std::vector<std::string> pools;  // cli/render/pool_argument.hpp
  int index = 0;
  std::string only;  // metaData, networkData or userData; "": all
};

// Without a cluster: manifests in, the same in another version out.
struct ConvertCommand {
  std::vector<std::string> files;  // files, folders, "-"
  bool recursive = false;
  std::string version;  // v1beta1 or v1beta2
  Format format = Format::yaml;
};

// Without a cluster: would one take these?
struct ValidateCommand {
  std::vector<std::string> files;
  bool recursive = false;
  std::string namespace_ = "default";  // of objects that name none
};

enum class Shell { bash, zsh, fish };

struct CompletionCommand {
  Shell shell = Shell::bash;
};

using Command = std::variant<ApplyCommand, GetCommand, DescribeCommand, WhyCommand, TreeCommand, RetryCommand,
                             PowerCommand, InspectCommand, InventoryCommand, ReadingsCommand, WaitCommand, WatchCommand,
                             ApproveCommand, RevokeCommand, RenderCommand, ConvertCommand, ValidateCommand,
                             ShadowReportCommand, SupportBundleCommand, VersionCommand, CompletionCommand>;

// Which cluster, and where in it.
struct ClusterChoice {
  std::string kubeconfig, context, namespace_;
};

struct Invocation {
  ClusterChoice cluster;
  Command command;
};

}  // namespace ingot::cli
