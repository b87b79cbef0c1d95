# MPI and the HDF5 that is built for it, by name: where another MPI is installed too, plain mpicxx, mpirun and hdf5 are
# the other one's. Include this before find_package(MPI), with KASEN_MPI as mpich or openmpi; what the caller has set
# stands.
if(NOT KASEN_MPI MATCHES "^(mpich|openmpi)$")
  message(FATAL_ERROR "KASEN_MPI is mpich or openmpi, not '${KASEN_MPI}'.")
endif()
if(DEFINED KASEN_MPI_FOUND AND NOT KASEN_MPI_FOUND STREQUAL KASEN_MPI)
  message(FATAL_ERROR "This build folder has found ${KASEN_MPI_FOUND}: KASEN_MPI=${KASEN_MPI} needs another one.")
endif()
set(KASEN_MPI_FOUND ${KASEN_MPI} CACHE INTERNAL "what is found below stays in the cache")
find_program(MPI_CXX_COMPILER NAMES mpicxx.${KASEN_MPI} REQUIRED)
find_program(MPIEXEC_EXECUTABLE NAMES mpirun.${KASEN_MPI} REQUIRED)
set(MPI_CXX_SKIP_MPICXX ON)
