/**
 * @file
 * Preloaded into MPI programs that run with more workers than cores (cluster-scripts and tests do it). MPICH on UCX
 * spins while it waits and never gives its core away; with this, a progress call that found nothing yields, and sleeps
 * where many have found nothing: on a busy machine yielding alone makes every wait a race for the core. It reaches
 * every wait, those inside MPI-IO, HDF5 and MPI_Init included. A program that works between its calls does not wait,
 * and keeps its core. Without UCX it has no effect.
 */
#define _GNU_SOURCE  // NOLINT(bugprone-reserved-identifier): the name is glibc's
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

enum { most_yields = 100, nanoseconds_asleep = 50000, nanoseconds_of_work = 10000 };

typedef unsigned (*Progress)(void*);

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static Progress progress;
  static int in_vain; /* calls since one found something; one thread makes them all */
  static long long last_end;
  if (!progress) *(void**)(&progress) = dlsym(RTLD_NEXT, "ucp_worker_progress");
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const long long begin = now.tv_sec * 1000000000LL + now.tv_nsec;
  const int waits = begin - last_end < nanoseconds_of_work;
  const unsigned found = progress(worker);
  if (found || !waits) {
    in_vain = 0;
  } else if (in_vain < most_yields) {
    ++in_vain;
    sched_yield();
  } else {
    const struct timespec asleep = {0, nanoseconds_asleep};
    nanosleep(&asleep, 0);
  }
  clock_gettime(CLOCK_MONOTONIC, &now);
  last_end = now.tv_sec * 1000000000LL + now.tv_nsec;
  return found;
}
