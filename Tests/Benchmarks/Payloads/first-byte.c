// SPDX-License-Identifier: Apache-2.0
//
// The least that a program can do: say that it is there.
#include <unistd.h>

int main(void) { return write(1, "x", 1) == 1 ? 0 : 1; }
