# Run by CPack between installing into its folder and packing: a changelog, and one time for all files, so that packages are the
# same whenever they are made. SOURCE_DATE_EPOCH is that of the commit (tools/package).
set(epoch $ENV{SOURCE_DATE_EPOCH})
if(NOT epoch MATCHES "^[0-9]+$")
  message(FATAL_ERROR "SOURCE_DATE_EPOCH is not set: run ./dev package")
endif()
execute_process(COMMAND date -u -R -d @${epoch} OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(GLOB packages ${CPACK_TEMPORARY_DIRECTORY}/ingot*)
foreach(root IN LISTS packages)
  get_filename_component(name ${root} NAME)
  set(file ${root}/usr/share/doc/${name}/changelog)
  file(WRITE ${file} "${name} (${CPACK_PACKAGE_VERSION}) stable; urgency=medium\n\n"
                     "  * Release ${CPACK_PACKAGE_VERSION}.\n\n"
                     " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND find ${root} -exec touch --no-dereference -d @${epoch} {} + COMMAND_ERROR_IS_FATAL ANY)
endforeach()
