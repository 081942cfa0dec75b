# Debian packages of coordinator, agent and ingotctl, by CPack: `./dev package DIR`. Maintainer scripts and copyright are in
# tools/package/debian.
set(INGOT_MAINTAINER "Ingot maintainers <maintainers@ingot.dev>" CACHE STRING "Whom the packages name as their maintainer")
set(debian ${CMAKE_SOURCE_DIR}/tools/package/debian)

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT "${INGOT_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# Whom the maintainer scripts call.
set(services_need "systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles, init-system-helpers (>= 1.54)")
set(CPACK_PRE_BUILD_SCRIPTS ${debian}/finish.cmake)

# ingot_package(NAME COMPONENTS c... SUMMARY s DESCRIPTION d...)
function(ingot_package name)
  cmake_parse_arguments(arg "" "SUMMARY" "COMPONENTS;DESCRIPTION" ${ARGN})
  set(own ${name}-package)   # what a package has and an installation has not
  install(FILES ${debian}/copyright DESTINATION share/doc/${name} COMPONENT ${own} EXCLUDE_FROM_ALL)
  string(TOUPPER ${name} group)
  foreach(component ${arg_COMPONENTS} ${own})
    string(TOUPPER ${component} upper)
    set(CPACK_COMPONENT_${upper}_GROUP ${name} PARENT_SCOPE)
  endforeach()
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${arg_COMPONENTS} ${own} PARENT_SCOPE)
  list(JOIN arg_DESCRIPTION "\n" description)
  set(CPACK_DEBIAN_${group}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${group}_DESCRIPTION "${arg_SUMMARY}\n${description}" PARENT_SCOPE)
endfunction()

# Its settings and maintainer scripts.
function(ingot_package_service service state)
  cmake_parse_arguments(arg "SECRET" "" "" ${ARGN})   # a password may stand in them
  set(unit ingot-${service})
  install(FILES systemd/${service}.env DESTINATION /etc/ingot COMPONENT ${unit}-package EXCLUDE_FROM_ALL)
  set(secured)
  if(arg_SECRET)
    # Its user may read them, and nobody else; what an administrator has set stays.
    set(secured "env=\"\${DPKG_ROOT:-}/etc/ingot/${service}.env\"
if [ -f \"$env\" ] && [ \"$(stat -c '%U:%G %a' \"$env\")\" = 'root:root 644' ] && ! dpkg-statoverride --list \"/etc/ingot/${service}.env\" > /dev/null; then
  chgrp ${state} \"$env\"
  chmod 0640 \"$env\"
fi
")
  endif()
  set(control ${CMAKE_BINARY_DIR}/control/${service})
  foreach(script postinst prerm postrm)
    configure_file(${debian}/${script}.in ${control}/${script} @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    list(APPEND files ${control}/${script})
  endforeach()
  # A conffile: an upgrade leaves what was edited, and a purge takes it.
  file(WRITE ${control}/conffiles "/etc/ingot/${service}.env\n")
  string(TOUPPER ${unit} group)
  set(CPACK_DEBIAN_${group}_PACKAGE_CONTROL_EXTRA "${files};${control}/conffiles" PARENT_SCOPE)
endfunction()

ingot_package(ingot-coordinator COMPONENTS coordinator coordinator-service
              SUMMARY "turns racks of servers into Kubernetes nodes"
              DESCRIPTION "The coordinator takes the place of Metal3's managers: it reconciles"
                          "BareMetalHosts, IPPools, Metal3Clusters and Metal3Machines with their data"
                          "in a Kubernetes cluster, or serves the Kubernetes API itself, and deploys"
                          "images through Ironic or the agents beside the BMCs. It is neither enabled"
                          "nor started before it has its settings.")
ingot_package_service(coordinator ingot SECRET)
set(CPACK_DEBIAN_INGOT-COORDINATOR_PACKAGE_DEPENDS "${services_need}")
set(CPACK_DEBIAN_INGOT-COORDINATOR_PACKAGE_RECOMMENDS "ca-certificates, ingotctl")
set(CPACK_DEBIAN_INGOT-COORDINATOR_PACKAGE_SUGGESTS ingot-agent)

ingot_package(ingot-agent COMPONENTS agent agent-service
              SUMMARY "power, inventory and sensors of servers, for an Ingot coordinator"
              DESCRIPTION "The agent runs in a provisioning network and speaks Redfish and IPMI to the"
                          "BMCs there, on behalf of a coordinator elsewhere. It is neither enabled nor"
                          "started before it has the coordinator's key.")
ingot_package_service(agent ingot-agent)
set(CPACK_DEBIAN_INGOT-AGENT_PACKAGE_DEPENDS "ipmitool, ${services_need}")
set(CPACK_DEBIAN_INGOT-AGENT_PACKAGE_RECOMMENDS ca-certificates)

ingot_package(ingotctl COMPONENTS ctl
              SUMMARY "look at and steer the servers that Ingot manages"
              DESCRIPTION "The operator's tool: hosts, machines, clusters and agents, why something is"
                          "not further, power, inspection, sensors and logs. It is also a plugin of"
                          "kubectl.")
set(CPACK_DEBIAN_INGOTCTL_PACKAGE_RECOMMENDS bash-completion)

include(CPack)
