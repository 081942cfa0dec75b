# ingot_library(<name> [DEPS ...])    static library ingot_<name> of every .cpp below the folder
# ingot_program(<name> MAIN f [DEPS]) program <name>
# ingot_test(<name> [DEPS ...])       test program <name>_tests of every .cpp below the folder; none is an error
#
# Sources are globbed: a new file needs no edit here. `main*.cpp` and folders with a
# CMakeLists.txt of their own are left out of the library.

# One precompiled header serves every target: the standard library, Asio's coroutine core, Boost.JSON, fmt.
file(WRITE ${CMAKE_BINARY_DIR}/pch.cpp "")
add_library(ingot_pch OBJECT ${CMAKE_BINARY_DIR}/pch.cpp)
target_include_directories(ingot_pch PRIVATE ${CMAKE_SOURCE_DIR})
target_precompile_headers(ingot_pch PRIVATE ${CMAKE_SOURCE_DIR}/tools/cmake/pch.hpp)
target_link_libraries(ingot_pch PRIVATE Boost::json fmt::fmt Threads::Threads)

# Nearly all the time of a compilation goes into headers and what their templates become, so sources are compiled a batch at
# a time. Whoever adds a file gives its helpers names of their own within the library or test program: the unnamed
# namespaces of a batch are one.
set(INGOT_UNITY_BATCH 8 CACHE STRING "Sources compiled as one; 1: each by itself")

function(_ingot_unity target)
  if(INGOT_UNITY_BATCH GREATER 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${INGOT_UNITY_BATCH})
  endif()
endfunction()

if(INGOT_FLAVOUR STREQUAL dev)
  add_library(ingot_asan_options OBJECT ${CMAKE_SOURCE_DIR}/tools/cmake/asan_options.cpp)
  set(ingot_asan ingot_asan_options)
endif()

function(_ingot_common target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  target_precompile_headers(${target} REUSE_FROM ingot_pch)
  target_link_libraries(${target} PUBLIC Boost::json fmt::fmt Threads::Threads)
endfunction()

function(_ingot_sources out)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
  file(GLOB_RECURSE nested CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */CMakeLists.txt)
  foreach(file IN LISTS nested)
    get_filename_component(folder ${file} DIRECTORY)
    list(FILTER found EXCLUDE REGEX "^${folder}/")
  endforeach()
  list(FILTER found EXCLUDE REGEX "(^|/)main[^/]*\\.cpp$")
  set(${out} ${found} PARENT_SCOPE)
endfunction()

function(ingot_library name)
  cmake_parse_arguments(arg "" "" "DEPS" ${ARGN})
  _ingot_sources(sources)
  if(NOT sources)  # headers only
    add_library(ingot_${name} INTERFACE)
    target_include_directories(ingot_${name} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(ingot_${name} INTERFACE Boost::json fmt::fmt Threads::Threads ${arg_DEPS})
    return()
  endif()
  add_library(ingot_${name} STATIC ${sources})
  _ingot_common(ingot_${name})
  _ingot_unity(ingot_${name})
  target_link_libraries(ingot_${name} PUBLIC ${arg_DEPS})
endfunction()

function(ingot_program name)
  cmake_parse_arguments(arg "" "MAIN" "DEPS" ${ARGN})
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${arg_MAIN})
    message(FATAL_ERROR "no ${arg_MAIN} for ${name} in ${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  add_executable(${name} ${arg_MAIN})
  _ingot_common(${name})
  target_link_libraries(${name} PRIVATE ${ingot_asan} ${arg_DEPS})
endfunction()

# A fifth of the coordinator's CPU goes into memory of its own, with the C library's allocator a quarter more. Sanitizers
# bring theirs.
function(ingot_own_allocator target)
  if(INGOT_OPTIMISED)
    find_package(mimalloc REQUIRED)
    target_link_libraries(${target} PRIVATE mimalloc)
  endif()
endfunction()

# What an entry takes of a core, in tenths: `./dev test` runs as many side by side as the cores have tenths. One that names none
# of these counts as a tenth. COST: seconds, of those that take many and so should not begin last.
set(ingot_computes PROCESSORS 10)   # all the time
set(ingot_starts_much PROCESSORS 5) # seven servers at once, and then it waits
set(ingot_has_peers PROCESSORS 3)   # Ironic or a kube-apiserver, which it waits for most of its time
set(ingot_waits PROCESSORS 2)       # for seconds to pass

# Heavy suites (a real peer, the whole system) pass LABEL: `./dev test LABEL` runs one of them.
# CASES f: each TEST_CASE of that file, one line each, is an entry of its own, <name>.<case>.
# ONLY s: the entry runs the cases that Catch2's spec `s` chooses.
function(ingot_test name)
  cmake_parse_arguments(arg "" "LABEL;TIMEOUT;CASES;ONLY" "DEPS" ${ARGN})
  _ingot_sources(sources)
  if(NOT sources)
    message(FATAL_ERROR "no sources for ${name}_tests in ${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  add_executable(${name}_tests ${sources})
  _ingot_common(${name}_tests)
  _ingot_unity(${name}_tests)
  target_link_libraries(${name}_tests PRIVATE ingot_test_main ${ingot_asan} ${arg_DEPS})
  set(share ${ingot_has_peers})
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
    set(share ${ingot_computes})
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 900)
  endif()
  set(rest ${arg_ONLY})
  set(entries ${name})
  if(arg_CASES)
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/${arg_CASES})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} lines REGEX "^TEST_CASE\\(")
    if(NOT lines)
      message(FATAL_ERROR "no case in ${file}")
    endif()
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^TEST_CASE\\(\"([^\"]*)\".*" "\\1" case "${line}")
      string(REGEX REPLACE "[^A-Za-z0-9]+" "_" entry "${name}.${case}")
      string(REPLACE "${name}_" "${name}." entry "${entry}")
      string(REPLACE "," "\\," spec "${case}")
      add_test(NAME ${entry} COMMAND ${name}_tests ${spec})
      list(APPEND rest "~${spec}")
      list(APPEND entries ${entry})
    endforeach()
  endif()
  add_test(NAME ${name} COMMAND ${name}_tests ${rest})
  set_tests_properties(${entries} PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT} ${share}
                       WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()

# The Python tests (*_test.py) of this folder.
function(ingot_python_test name timeout)
  add_test(NAME ${name} COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tests/run_unittests.py ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT ${timeout} ${ingot_computes})
endfunction()
