// SPDX-License-Identifier: Apache-2.0
#pragma once
// The C library's structures differ by this macro, and a program may see only one form of each: CLinux's.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <openssl/evp.h>
