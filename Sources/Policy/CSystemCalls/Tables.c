// SPDX-License-Identifier: Apache-2.0

// The compiler for C embeds the tables quickly. The compiler for Swift takes half a minute for such a
// literal.

#include "CSystemCalls.h"

static const unsigned char numbers[] = {
#embed "syscalls.tsv"
};

static const unsigned char signatures[] = {
#embed "signatures.txt"
};

static const unsigned char constants[] = {
#embed "constants.txt"
};

static const unsigned char ioctls[] = {
#embed "ioctls.txt"
};

struct embedded_file system_call_numbers(void) { return (struct embedded_file){numbers, sizeof numbers}; }

struct embedded_file system_call_signatures(void) { return (struct embedded_file){signatures, sizeof signatures}; }

struct embedded_file system_call_constants(void) { return (struct embedded_file){constants, sizeof constants}; }

struct embedded_file system_call_ioctls(void) { return (struct embedded_file){ioctls, sizeof ioctls}; }
