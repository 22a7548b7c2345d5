// SPDX-License-Identifier: Apache-2.0
#define FUSE_USE_VERSION 31
#include <fuse.h>
