// SPDX-License-Identifier: Apache-2.0
//
// Says that it is there, and stays until it is killed.
#include <unistd.h>

int main(void) {
  if (write(1, "x", 1) != 1) return 1;
  for (;;) pause();
}
