# kasen_check_compiler(INCLUDE_DIRECTORY ARCH): ends the configuration if the compiler makes wrong numbers of kernels over
# structs although they are written around the defect that is known (kasen/runtime/unmasked.h). Used by Kasen's own
# CMakeLists.txt and by the package, whose users may have another compiler.
set(kasen_compiler_witness ${CMAKE_CURRENT_LIST_DIR}/compiler_witness.cpp)
function(kasen_check_compiler include_directory arch)
  set(options -O3 -fopenmp-simd -fno-math-errno -fno-trapping-math)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -fno-tree-sink -fcx-fortran-rules)
  endif()
  if(arch)
    list(APPEND options -march=${arch})
  endif()
  string(REPLACE ";" " " what "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${options}")
  list(FIND KASEN_COMPILER_CHECKED "${what}" position)
  if(position GREATER -1 OR (CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR))
    return()
  endif()
  try_run(run compiled SOURCES ${kasen_compiler_witness}
          COMPILE_DEFINITIONS ${options}
          CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${include_directory}
          CXX_STANDARD 20
          COMPILE_OUTPUT_VARIABLE output RUN_OUTPUT_VARIABLE wrong)
  if(NOT compiled)
    message(FATAL_ERROR "${what} does not compile ${kasen_compiler_witness}:\n${output}")
  elseif(run STREQUAL "FAILED_TO_RUN" AND arch AND NOT arch STREQUAL "native")
    message(WARNING "This machine does not run what ${what} makes, so whether that is right was not tried.")
  elseif(NOT run EQUAL 0)
    message(FATAL_ERROR "${what} -O3 computes wrong numbers where functions of structs have conditions:\n${wrong}"
                        "Kasen needs another compiler, or another KASEN_ARCH.")
  endif()
  set(KASEN_COMPILER_CHECKED ${KASEN_COMPILER_CHECKED} ${what} CACHE INTERNAL "Whose kernels over structs are right")
endfunction()
