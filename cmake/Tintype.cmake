# How this project's targets are declared: one static library per room, its dependencies listed by
# hand, and unit tests beside the source. Everything of ours compiles with the same strict warnings;
# third-party headers come in as SYSTEM includes, which are exempt from them.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# What a preset chooses.
option(TINTYPE_UNITY "Compile a room's files a dozen at a time: a third of the work for a whole build" OFF)
set(TINTYPE_SANITIZE "" CACHE STRING "Sanitizers for every target, for example address,undefined")

# Lines and functions, for stack traces and profiles; variables too would take a quarter of the
# compile time. The preset `dev` has them.
if(TINTYPE_SANITIZE)
  # A third less to compile; what the sanitizers watch is the same.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1 -DNDEBUG")
elseif(TINTYPE_UNITY)
  # Whoever builds for the first time waits for it: without them it takes a tenth less, since a test is then 16 MB to
  # link and write instead of 59.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -DNDEBUG")
else()
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Without the sloppiness it does not keep what is compiled with precompiled headers. Paths below the
  # base directory are hashed as relative ones, so that every clone on a machine shares the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}"
      CCACHE_NOHASHDIR=1 "${CCACHE_PROGRAM}")
endif()

option(TINTYPE_WERROR "Treat warnings in our own code as errors" ON)

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(GTest REQUIRED)
# RocksDB is linked statically: its thread-local counters cost a call each through the dynamic loader
# (4 % of a Query), and the binary then runs without the package. Not in sanitizer builds, where
# reports from a library that is not instrumented are told by its name (tools/tsan.supp).
if(TINTYPE_SANITIZE)
  find_library(ROCKSDB_LIBRARY rocksdb REQUIRED)
else()
  find_library(ROCKSDB_LIBRARY librocksdb.a REQUIRED)
  foreach(compression snappy lz4 zstd bz2 z)
    find_library(${compression}_LIBRARY ${compression} REQUIRED)
    list(APPEND ROCKSDB_LIBRARY ${${compression}_LIBRARY})
  endforeach()
endif()
find_library(SIMDJSON_LIBRARY simdjson REQUIRED)
find_library(DEFLATE_LIBRARY deflate REQUIRED)

add_library(tintype_flags INTERFACE)
target_include_directories(tintype_flags INTERFACE "${CMAKE_SOURCE_DIR}/src")
# -pthread defines a macro that simdjson's classes have other members with, and comes along with some
# libraries: all of a program has it, or nothing.
target_compile_options(tintype_flags INTERFACE -pthread -Wall -Wextra -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC 12 reports the inactive member of a std::variant when it inlines moves of Result.
  target_compile_options(tintype_flags INTERFACE -Wno-maybe-uninitialized)
  if(TINTYPE_UNITY)
    # It takes a file that includes a room's sources for a header with types that nobody else can name.
    target_compile_options(tintype_flags INTERFACE -Wno-subobject-linkage)
  endif()
endif()
if(TINTYPE_WERROR)
  target_compile_options(tintype_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # Lock discipline is checked by clang from the annotations in base/mutex.h.
  target_compile_options(tintype_flags INTERFACE -Wthread-safety)
endif()
if(TINTYPE_SANITIZE)
  target_compile_options(tintype_flags INTERFACE -fsanitize=${TINTYPE_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(tintype_flags INTERFACE -fsanitize=${TINTYPE_SANITIZE})
endif()

# tintype_library(name SRCS a.cc ... DEPS other ...)
# DEPS are the rooms this room may include; tools/check_layering.py compares them with the includes.
function(tintype_library name)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SRCS})
  target_link_libraries(${name} PUBLIC tintype_flags ${ARG_DEPS})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${TINTYPE_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# The flags of tests. What is tested is optimised; optimising the tests themselves would take a third
# of their compile time, and nobody waits for them to run. Not under the thread sanitizer: what is not
# inlined of the standard library's templates would be called by RocksDB as well, under locks that it
# cannot see.
function(tintype_test_flags name)
  if(NOT TINTYPE_SANITIZE MATCHES thread)
    target_compile_options(${name} PRIVATE -O0)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # GCC 12 finds fault with the standard library's own strings, now that it has them precompiled.
    target_compile_options(${name} PRIVATE -Wno-array-bounds -Wno-stringop-overread)
  endif()
endfunction()

# What nearly every test includes, compiled once instead of three hundred times. Headers of ours are
# not among them: a test that forgot to include one should not compile.
add_library(test_headers OBJECT cmake/test_headers.cc)
target_link_libraries(test_headers PRIVATE tintype_flags GTest::gtest GTest::gmock)
target_precompile_headers(test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> <functional>
  <future> <map> <memory> <optional> <string> <thread> <vector>)
tintype_test_flags(test_headers)

# tintype_test(name SRCS a_test.cc ... DEPS room ... [LAUNCHER command ...] [SEPARATE])
# LAUNCHER is a command that runs the test, which is its last argument. SEPARATE is for sources that
# give different things the same name, so that they cannot be compiled together.
function(tintype_test name)
  cmake_parse_arguments(ARG "SEPARATE" "TIMEOUT" "SRCS;DEPS;LABELS;LAUNCHER" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SRCS})
  target_link_libraries(${name} PRIVATE tintype_flags ${ARG_DEPS} GTest::gtest GTest::gmock
                        GTest::gtest_main)
  target_precompile_headers(${name} REUSE_FROM test_headers)
  tintype_test_flags(${name})
  if(NOT ARG_SEPARATE)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ${TINTYPE_UNITY} UNITY_BUILD_BATCH_SIZE 6)
  endif()
  add_test(NAME ${name} COMMAND ${ARG_LAUNCHER} $<TARGET_FILE:${name}>)
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
