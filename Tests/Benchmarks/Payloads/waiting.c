// SPDX-License-Identifier: Apache-2.0
//
// The same as Extension/Waiting.swift with the bare protocol: records when it has answered its first message.
#include "protocol.h"

#include <time.h>

int main(void) {
  int in = find_descriptor("host-in"), out = find_descriptor("host-out");
  if (in < 0 || out < 0 || !answer_start(in, out)) return 2;
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  write_all(out, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"camera/start\",\"params\":{\"delivery\":\"latest\"}}\n"
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"capture/subscribe\",\"params\":{}}\n");
  FILE *result = fopen("/session/result", "w");
  if (result == NULL) return 3;
  fprintf(result, "heard %lld\n", time.tv_sec * 1000000000LL + time.tv_nsec);
  if (fclose(result) != 0) return 4;
  char *line;
  while ((line = next_line(in)) != NULL && strstr(line, "session/willDismiss") == NULL) continue;
  return 0;
}
