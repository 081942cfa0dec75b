# Compiler, flavours and the libraries from the system.

set(INGOT_FLAVOUR dev CACHE STRING "dev | release | profile | tsan | fuzz")
set_property(CACHE INGOT_FLAVOUR PROPERTY STRINGS dev release profile tsan fuzz)
option(INGOT_TESTS "Build the tests" ON)

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(INGOT_OPTIMISED OFF)
if(INGOT_FLAVOUR MATCHES "^(release|profile)$")
  set(INGOT_OPTIMISED ON)
endif()
# One code model for libraries and programs: they share the precompiled header.
add_compile_options(-fPIE)
add_link_options(-pie)

if(NOT INGOT_FLAVOUR MATCHES "^(dev|release|profile|tsan|fuzz)$")
  message(FATAL_ERROR "INGOT_FLAVOUR is '${INGOT_FLAVOUR}': use dev, release, profile, tsan or fuzz")
endif()

add_compile_options(-Wall -Wextra -Wno-missing-field-initializers -Werror=return-type
                    -Werror=switch -Werror=unused-result -fno-omit-frame-pointer)
add_link_options(-fuse-ld=lld --ld-path=/usr/bin/ld.lld-19)

# Sanitized code is not inlined but where that makes it smaller: a third of the time of a clean build. Not so what every
# test spends its time in.
set(ingot_inlined ingot_base ingot_json ingot_kube ingot_net ingot_apiserver)
if(NOT INGOT_OPTIMISED)
  add_compile_options("$<$<NOT:$<IN_LIST:$<TARGET_PROPERTY:NAME>,${ingot_inlined}>>:SHELL:-mllvm -inline-threshold=25>")
endif()
if(INGOT_FLAVOUR STREQUAL dev)
  # Without the checks of each access to a member, which cost a fifth of a clean build: where it matters AddressSanitizer
  # sees it too. The fuzz flavour has them.
  add_compile_options(-O1 -gline-tables-only -fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-sanitize=vptr,null,alignment,object-size)
  add_link_options(-fsanitize=address,undefined)
elseif(INGOT_FLAVOUR STREQUAL fuzz)
  add_compile_options(-O1 -gline-tables-only -fsanitize=fuzzer-no-link,address,undefined
                      -fno-sanitize-recover=undefined -fno-sanitize=vptr)
  add_link_options(-fsanitize=address,undefined)
elseif(INGOT_FLAVOUR STREQUAL tsan)
  add_compile_options(-O1 -gline-tables-only -fsanitize=thread)
  add_link_options(-fsanitize=thread)
else()
  add_compile_options(-O2 -gline-tables-only -fstack-protector-strong -D_FORTIFY_SOURCE=2)
  add_link_options(-Wl,-z,relro,-z,now -Wl,--gc-sections)
  add_compile_options(-ffunction-sections -fdata-sections)
  # By what the programs were counted doing (docs/decisions/0040). A static function is known there by its file's name without
  # the folder: the same in any checkout.
  add_compile_options("SHELL:-mllvm -static-func-full-module-prefix=false")
  set(ingot_profile ${CMAKE_SOURCE_DIR}/tools/profile/ingot.profdata)
  if(INGOT_FLAVOUR STREQUAL profile)
    add_compile_options(-fprofile-generate=${CMAKE_BINARY_DIR}/counts)
    add_link_options(-fprofile-generate=${CMAKE_BINARY_DIR}/counts)
  else()
    add_compile_options(-fprofile-use=${ingot_profile} -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date -Wno-backend-plugin)
  endif()
endif()

# ccache must see the same bytes for the same header set in any checkout.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
  add_compile_options(-Xclang -fno-pch-timestamp)
endif()
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)

find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json)
find_package(OpenSSL 3 REQUIRED)
find_package(CURL REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZMQ REQUIRED IMPORTED_TARGET libzmq)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(ARCHIVE REQUIRED IMPORTED_TARGET libarchive)

add_compile_definitions(BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION
                        BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_BOOST_COROUTINE)
# Asio gives the memory of a large coroutine that has ended to a small one that waits for hours.
if(INGOT_OPTIMISED)
  add_compile_definitions(BOOST_ASIO_DISABLE_AWAITABLE_FRAME_RECYCLING)
endif()
