// SPDX-License-Identifier: Apache-2.0
//
// Waits for events, frames and results while signals arrive. signal_scenarios.py sends the signals.
// usage: signals session|host
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "darkroom-host.h"
#include "printing.h"

/// The time in milliseconds of a wait without an event.
#define TIMEOUT 300

static darkroom_session *session;
static darkroom_host *host;
/// The number of handled signals, and whether a handler has changed errno.
static volatile sig_atomic_t handled_signals, changed_errno;

static void count_signal(int number) {
  (void)number;
  handled_signals++;
}

static void interrupt(int number) {
  (void)number;
  errno = EDOM;
  if (session != NULL) darkroom_interrupt(session);
  if (host != NULL) darkroom_host_interrupt(host);
  if (errno != EDOM) changed_errno = 1;
}

/// Sets handlers without SA_RESTART.
static void handle_signals(void) {
  struct sigaction action = {.sa_handler = count_signal};
  sigaction(SIGUSR1, &action, NULL);
  action.sa_handler = interrupt;
  sigaction(SIGUSR2, &action, NULL);
}

/// Prints the result of a wait, and whether signals were handled meanwhile.
static void report(const char *name, int result) {
  const char *error = session != NULL ? darkroom_last_error(session)->text : darkroom_host_last_error(host)->text;
  say("%s: %d%s%s, signals %d", name, result, result < 0 ? " " : "", result < 0 ? error : "", handled_signals > 0);
  handled_signals = 0;
}

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

// MARK: Session

static void wait_for_event(const char *name, int timeout) {
  darkroom_event event = DARKROOM_EVENT_INIT;
  say("waiting");
  long long start = milliseconds();
  report(name, darkroom_next(session, &event, timeout));
  if (timeout > 0) say("late %d", milliseconds() - start >= timeout);
  if (event.type != 0) say("event %d", event.type);
}

static int use_session(void) {
  session = darkroom_open(NULL);
  if (session == NULL) return 1;
  handle_signals();
  wait_for_event("event", -1);
  wait_for_event("timeout", TIMEOUT);
  wait_for_event("interrupted", -1);
  // The calls have the effect of one, do not interrupt the request, and follow a queued event.
  raise(SIGUSR2);
  raise(SIGUSR2);
  report("request", darkroom_subscribe(session, false));
  wait_for_event("queued", -1);
  wait_for_event("interrupted", -1);
  wait_for_event("none", 0);
  darkroom_close(session);
  return changed_errno;
}

// MARK: Host

static void wait_for_host_event(const char *name, int timeout) {
  darkroom_host_event event = DARKROOM_HOST_EVENT_INIT;
  say("waiting");
  long long start = milliseconds();
  report(name, darkroom_host_next(host, &event, timeout));
  if (timeout > 0) say("late %d", milliseconds() - start >= timeout);
  if (event.type != 0) say("event %d", event.type);
}

static void wait_for_frame(darkroom_hosted_session *hosted, const char *name, int timeout) {
  darkroom_frame frame = DARKROOM_FRAME_INIT;
  say("waiting");
  report(name, darkroom_hosted_take_frame(hosted, &frame, timeout));
  if (frame.sequence != 0) say("frame %llu", (unsigned long long)frame.sequence);
}

static void wait_for_result(darkroom_hosted_session *hosted, const char *name, int timeout) {
  say("waiting");
  report(name, darkroom_hosted_wait(hosted, timeout, NULL));
}

static int use_host(void) {
  darkroom_host_options options = DARKROOM_HOST_OPTIONS_INIT;
  darkroom_error error = DARKROOM_ERROR_INIT;
  options.client = "client 1.0";
  handle_signals();
  say("connecting");
  host = darkroom_host_open(&options, &error);
  if (host == NULL) return say("%d %s", error.code, error.text), 1;
  report("connected", 0);
  darkroom_hosted_session *hosted = darkroom_host_launch(host, "org.example.camera.capture", NULL);
  wait_for_host_event("event", -1);
  wait_for_host_event("timeout", TIMEOUT);
  wait_for_host_event("interrupted", -1);
  wait_for_frame(hosted, "frame timeout", TIMEOUT);
  wait_for_frame(hosted, "frame interrupted", -1);
  wait_for_frame(hosted, "frame", -1);
  raise(SIGUSR2);
  raise(SIGUSR2);
  report("request", darkroom_hosted_release_frame(hosted));
  wait_for_host_event("queued", -1);
  wait_for_host_event("interrupted", -1);
  wait_for_host_event("none", 0);
  wait_for_result(hosted, "result interrupted", -1);
  wait_for_result(hosted, "result timeout", TIMEOUT);
  wait_for_result(hosted, "result", -1);
  darkroom_host_close(host);
  say("closed");
  return changed_errno;
}

int main(int count, char **words) {
  return count > 1 && strcmp(words[1], "session") == 0 ? use_session() : use_host();
}
