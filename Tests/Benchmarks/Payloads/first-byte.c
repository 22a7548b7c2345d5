// SPDX-License-Identifier: Apache-2.0
//
// The smallest program: writes one byte.
#include <unistd.h>

int main(void) { return write(1, "x", 1) == 1 ? 0 : 1; }
