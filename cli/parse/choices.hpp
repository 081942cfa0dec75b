// Words that options and operands choose from. Private to cli/parse.
#pragma once

#include "cli/command/command.hpp"

#include <map>
#include <string>

namespace ingot::cli {

inline const std::map<std::string, Subject> subjects = {{"hosts", Subject::hosts},
                                                        {"host", Subject::hosts},
                                                        {"bmh", Subject::hosts},
                                                        {"bmhost", Subject::hosts},
                                                        {"baremetalhost", Subject::hosts},
                                                        {"baremetalhosts", Subject::hosts},
                                                        {"agents", Subject::agents},
                                                        {"agent", Subject::agents},
                                                        {"pagent", Subject::agents},
                                                        {"provisioningagent", Subject::agents},
                                                        {"provisioningagents", Subject::agents},
                                                        {"machines", Subject::machines},
                                                        {"machine", Subject::machines},
                                                        {"m3m", Subject::machines},
                                                        {"metal3machine", Subject::machines},
                                                        {"metal3machines", Subject::machines},
                                                        {"clusters", Subject::clusters},
                                                        {"cluster", Subject::clusters},
                                                        {"m3c", Subject::clusters},
                                                        {"metal3cluster", Subject::clusters},
                                                        {"metal3clusters", Subject::clusters},
                                                        {"addresses", Subject::addresses},
                                                        {"address", Subject::addresses},
                                                        {"ipaddress", Subject::addresses},
                                                        {"ipaddresses", Subject::addresses}};
inline constexpr const char* kSubjects = "hosts, agents, machines, clusters, addresses";
inline const std::map<std::string, Format> formats = {{"table", Format::table},
                                                      {"wide", Format::wide},
                                                      {"json", Format::json},
                                                      {"yaml", Format::yaml},
                                                      {"name", Format::name}};
inline const std::map<std::string, Format> plainFormats = {
    {"table", Format::table}, {"json", Format::json}, {"yaml", Format::yaml}};
inline const std::map<std::string, Format> lineFormats = {{"table", Format::table}, {"json", Format::json}};
inline const std::map<std::string, Format> documentFormats = {{"yaml", Format::yaml}, {"json", Format::json}};
inline const std::map<std::string, std::string> versions = {{"v1beta1", "v1beta1"}, {"v1beta2", "v1beta2"}};
inline const std::map<std::string, Shell> shells = {{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}};

}  // namespace ingot::cli
