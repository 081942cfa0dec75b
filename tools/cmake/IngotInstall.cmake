# cmake --install build/release --prefix /usr: programs with their manual pages and completions, and what systemd needs. The
# units name programs below /usr/bin. Components are what IngotPackage.cmake makes packages of, and `simulator`.
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

# What the programs say of themselves. Only those that ship are asked: sanitized ones take their time.
if(INGOT_FLAVOUR STREQUAL release)
  file(GLOB generator CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/package/*.py ${CMAKE_SOURCE_DIR}/tools/package/sections/*.roff)
  foreach(program ingot-coordinator ingot-agent ingotctl)
    string(REGEX REPLACE "^ingot-?" "" component ${program})
    set(share ${CMAKE_BINARY_DIR}/share/${program})
    add_custom_command(OUTPUT ${share}.stamp
                       COMMAND ${CMAKE_COMMAND} -E rm -rf ${share}
                       COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tools/package/generate.py $<TARGET_FILE:${program}> ${share}
                       COMMAND ${CMAKE_COMMAND} -E touch ${share}.stamp
                       DEPENDS ${program} ${generator} VERBATIM COMMENT "Manual page and completions of ${program}")
    list(APPEND stamps ${share}.stamp)
    install(DIRECTORY ${share}/ DESTINATION share COMPONENT ${component})
  endforeach()
  install(PROGRAMS tools/package/kubectl_complete-ingot DESTINATION bin COMPONENT ctl)   # with ingotctl's completion
  add_custom_target(manuals ALL DEPENDS ${stamps})
endif()
