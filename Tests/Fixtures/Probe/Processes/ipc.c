// SPDX-License-Identifier: Apache-2.0
//
// Objects that processes share by name or key.
#include "probe.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

static char room[256];

/// Attaches to memory of the host (shmget(2)).
static long attach_memory(const char *key) { return shmget((key_t)atoi(key), 0, 0); }

/// Counts the shared memory segments of the namespace (`SHM_INFO`).
static long count_memory(const char *argument) {
  (void)argument;
  struct shm_info info;
  return shmctl(0, SHM_INFO, (struct shmid_ds *)&info);
}

/// Searches the inherited keyrings, `@s` and `@us`, for a key of the host (keyctl(2)).
static long find_key(const char *argument) {
  (void)argument;
  static const int rings[] = {-3 /* session */, -4 /* user */, -5 /* user session */};
  for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
    long key = syscall(SYS_keyctl, 10 /* KEYCTL_SEARCH */, rings[i], "user", "darkroom-probe-left", 0);
    if (key >= 0) return note("keyring %d", rings[i]), 0;
  }
  return -1;
}

/// Control: finds a key that this process has added, so that the search itself works.
static long find_own_key(const char *argument) {
  if (syscall(SYS_add_key, "user", "darkroom-probe-left", "x", 1, -3) < 0) return -1;
  return find_key(argument);
}

/// Leaves a key for the next session in every keyring that outlives this one.
static long leave_key(const char *argument) {
  (void)argument;
  long left = -1;
  static const int rings[] = {-3, -4, -5};
  for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
    long key = syscall(SYS_add_key, "user", "darkroom-probe-left", "x", 1, rings[i]);
    if (key >= 0) left = key;
  }
  return left;
}

const struct attempt ipc_attempts[] = {
    CALL("shmget", "seccomp", "creates System V shared memory with a key", SYS_shmget, 0x64726b72, 4096, 01600),
    CALL("semget", "seccomp", "creates System V semaphores with a key", SYS_semget, 0x64726b72, 1, 01600),
    CALL("msgget", "seccomp", "creates a System V message queue with a key", SYS_msgget, 0x64726b72, 01600),
    CALL("mq_open", "seccomp,limits,kernel", "makes a queue with a name", SYS_mq_open, P("darkroom-probe"),
         O_CREAT | O_RDWR, 0600,
         0),
    CALL("semget-info", "seccomp", "reads the number of System V semaphores", SYS_semctl, 0, 0, SEM_INFO, P(room)),
    TRY("shared-memory-info", count_memory, NULL, "seccomp", "reads the number of System V shared memory segments"),
    CALL("mq_unlink", "seccomp,kernel", "removes a queue with a name", SYS_mq_unlink, P("darkroom-probe-nowhere")),
    TOOL("find-own-key", find_own_key),
    TRY("leave-key", leave_key, NULL, "seccomp", "leaves a key in a keyring for the next session"),
    TRY("find-key", find_key, NULL, "seccomp,userNamespace", "finds a key of an earlier session"),
    TRY("attach-memory", attach_memory, "{memory}", "seccomp,ipcNamespace", "attaches to memory of the host"),
    END,
};
