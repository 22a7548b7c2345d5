// SPDX-License-Identifier: Apache-2.0
//
// Objects that processes share by a name or a key.
#include "probe.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/shm.h>
#include <sys/syscall.h>

/// Attaches to memory of the host (shmget(2)).
static long attach_memory(const char *key) { return shmget((key_t)atoi(key), 0, 0); }

const struct attempt ipc_attempts[] = {
    CALL("shmget", "seccomp", "makes memory with a key", SYS_shmget, 0x64726b72, 4096, 01600),
    CALL("semget", "seccomp", "makes semaphores with a key", SYS_semget, 0x64726b72, 1, 01600),
    CALL("msgget", "seccomp", "makes a queue with a key", SYS_msgget, 0x64726b72, 01600),
    CALL("mq_open", "seccomp", "makes a queue with a name", SYS_mq_open, P("darkroom-probe"), O_CREAT | O_RDWR, 0600,
         0),
    TRY("attach-memory", attach_memory, "{memory}", "seccomp,ipcNamespace", "attaches to memory of the host"),
    END,
};
