# MPICH by name: where another MPI is installed too, plain mpicxx and mpirun are the other one's. Include this before
# find_package(MPI); what the caller has set stands.
find_program(MPI_CXX_COMPILER NAMES mpicxx.mpich REQUIRED)
find_program(MPIEXEC_EXECUTABLE NAMES mpirun.mpich REQUIRED)
set(MPI_CXX_SKIP_MPICXX ON)
