// SPDX-License-Identifier: Apache-2.0

// The same as first-byte.c, with the Swift runtime.
import Glibc

exit(write(1, "x", 1) == 1 ? 0 : 1)
