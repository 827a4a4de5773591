# The target `headers_compile`: one generated source per header under src/, which includes that
# header and nothing else. It is not part of the ordinary build; `./dev lint` builds it.

file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}/src"
     "${CMAKE_SOURCE_DIR}/src/*.h")
set(sources "")
foreach(header IN LISTS headers)
  set(source "${CMAKE_BINARY_DIR}/headers_compile/${header}.cc")
  # Twice, so that a missing #pragma once is found too.
  file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
  list(APPEND sources "${source}")
endforeach()

add_library(headers_compile OBJECT EXCLUDE_FROM_ALL ${sources})
target_link_libraries(headers_compile PRIVATE tintype_flags PkgConfig::VIPS)
target_include_directories(headers_compile PRIVATE "${CMAKE_BINARY_DIR}/generated")
add_dependencies(headers_compile contract_limits)
