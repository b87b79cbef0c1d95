/**
 * @file
 * Preloaded into MPI programs that run with more workers than cores (cluster-scripts and tests do it). MPICH on UCX
 * spins while it waits and never gives its core away; with this, a progress call that found nothing yields. It reaches
 * every wait, those inside MPI-IO, HDF5 and MPI_Init included. Without UCX it has no effect.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

typedef unsigned (*Progress)(void*);

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static Progress progress;
  if (!progress) *(void**)(&progress) = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned found = progress(worker);
  if (!found) sched_yield();
  return found;
}
