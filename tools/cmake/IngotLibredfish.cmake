# DMTF's libredfish (docs/decisions/0027), built from its source: it is in no package archive, so it is never looked for
# unless -DINGOT_LIBREDFISH=ON says so.
option(INGOT_LIBREDFISH "ingot-agent can speak to BMCs through DMTF's libredfish" OFF)
set(LIBREDFISH_ROOT "" CACHE PATH "Where libredfish was installed to: include/redfishRawAsync.h, lib/libredfish.so")
if(NOT INGOT_LIBREDFISH)
  return()
endif()

find_path(libredfish_headers redfishRawAsync.h HINTS ${LIBREDFISH_ROOT}/include NO_CACHE)
find_library(libredfish_library redfish HINTS ${LIBREDFISH_ROOT}/lib ${LIBREDFISH_ROOT}/lib64 NO_CACHE)
find_path(jansson_headers jansson.h NO_CACHE)
if(NOT libredfish_headers OR NOT libredfish_library)
  message(FATAL_ERROR "INGOT_LIBREDFISH is ON, and there is no libredfish in LIBREDFISH_ROOT ('${LIBREDFISH_ROOT}') or the "
                      "system's folders: include/redfishRawAsync.h and lib/libredfish.so are looked for. How to build it is "
                      "in docs/decisions/0027-libredfish.md")
endif()
if(NOT jansson_headers)
  message(FATAL_ERROR "INGOT_LIBREDFISH is ON, and jansson.h, which libredfish's headers include, is nowhere: install "
                      "libjansson-dev")
endif()
message(STATUS "libredfish: ${libredfish_library}")

add_library(libredfish::libredfish SHARED IMPORTED)
set_target_properties(libredfish::libredfish PROPERTIES IMPORTED_LOCATION ${libredfish_library})
target_include_directories(libredfish::libredfish INTERFACE ${libredfish_headers} ${jansson_headers})
