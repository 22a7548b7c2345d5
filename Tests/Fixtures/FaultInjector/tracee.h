// SPDX-License-Identifier: Apache-2.0
//
// Operations on a stopped thread.
#ifndef DARKROOM_FAULTS_TRACEE_H
#define DARKROOM_FAULTS_TRACEE_H

#include <stdint.h>
#include <sys/types.h>

/// Starts a traced program that stops at each counted call. Returns its process ID, or -1.
pid_t start_traced(char **argv);

/// Reads the call that a thread has just entered. Returns -1 on failure.
int read_call(pid_t thread, uint64_t *number, uint64_t *arguments);

/// Skips the call and sets its return value.
void replace_call(pid_t thread, long result);

/// Changes an argument of the call.
void set_argument(pid_t thread, int argument, uint64_t value);

/// Changes the return value of a call at its exit.
void set_result(pid_t thread, long result);

/// Kills the process of a thread, including all of its threads.
void kill_process(pid_t thread);

/// Returns the number of an error given by name or number, or 0 if it is unknown.
int error_number(const char *text);

#endif
