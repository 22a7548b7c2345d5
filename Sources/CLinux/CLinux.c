// SPDX-License-Identifier: Apache-2.0
#include "CLinux.h"

#include <sys/socket.h>

int darkroom_socket_pair(int *ends) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends); }
