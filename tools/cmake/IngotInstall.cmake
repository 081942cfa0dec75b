# cmake --install build/release --prefix /usr: programs, and what systemd needs. The units name programs below /usr/bin.
# Components are by program, and `settings`.
install(TARGETS ingot-coordinator RUNTIME DESTINATION bin COMPONENT coordinator)
install(TARGETS ingot-agent RUNTIME DESTINATION bin COMPONENT agent)
install(TARGETS ingotctl RUNTIME DESTINATION bin COMPONENT ctl)
install(TARGETS ingot-sim RUNTIME DESTINATION bin COMPONENT simulator)
install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/kubectl-ingot DESTINATION bin COMPONENT ctl)

foreach(service coordinator agent)
  set(component ${service}-service)
  install(FILES systemd/ingot-${service}.service DESTINATION lib/systemd/system COMPONENT ${component})
  foreach(kind sysusers tmpfiles)
    install(FILES systemd/ingot-${service}.${kind}.conf DESTINATION lib/${kind}.d RENAME ingot-${service}.conf
            COMPONENT ${component})
  endforeach()
  install(FILES systemd/${service}.env DESTINATION share/ingot COMPONENT settings)
endforeach()
