// SPDX-License-Identifier: Apache-2.0
//
// Writes one byte and waits until it is killed.
#include <unistd.h>

int main(void) {
  if (write(1, "x", 1) != 1) return 1;
  for (;;) pause();
}
