// SPDX-License-Identifier: Apache-2.0
//
// What is done to a stopped thread.
#ifndef DARKROOM_FAULTS_TRACEE_H
#define DARKROOM_FAULTS_TRACEE_H

#include <stdint.h>
#include <sys/types.h>

/// Starts a program, traced, which stops at each call that may be counted. Returns it, or -1.
pid_t start(char **words);

/// Reads the call at whose beginning a thread has stopped. Returns -1 if that cannot be read.
int read_call(pid_t thread, uint64_t *number, uint64_t *arguments);

/// Keeps the call from being made; it returns this instead.
void replace_call(pid_t thread, long result);

/// Changes an argument of the call.
void set_argument(pid_t thread, int argument, uint64_t value);

/// Changes what the call returns, at its end.
void set_result(pid_t thread, long result);

/// Kills the process of a thread, with all its threads.
void kill_process(pid_t thread);

/// The number of an error by its name or number; 0 if there is none such.
int error_number(const char *text);

#endif
