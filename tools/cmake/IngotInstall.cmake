# cmake --install build/release --prefix /usr: programs, and what systemd needs (component `services`). The units name
# programs below /usr/bin.
install(TARGETS ingot-coordinator ingot-agent ingotctl ingot-sim RUNTIME DESTINATION bin COMPONENT programs)
install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/kubectl-ingot DESTINATION bin COMPONENT programs)
install(FILES systemd/ingot-coordinator.service systemd/ingot-agent.service
        DESTINATION lib/systemd/system COMPONENT services)
install(FILES systemd/ingot.sysusers.conf DESTINATION lib/sysusers.d RENAME ingot.conf COMPONENT services)
install(FILES systemd/ingot.tmpfiles.conf DESTINATION lib/tmpfiles.d RENAME ingot.conf COMPONENT services)
install(FILES systemd/coordinator.env systemd/agent.env DESTINATION share/ingot COMPONENT services)
