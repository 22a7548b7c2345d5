// SPDX-License-Identifier: Apache-2.0
#include "CLinuxRunLoop.h"

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// An object of Core Foundation.
typedef void *object;

/// The declarations of CFRunLoop.h.
enum {
  run_loop_entry = 1 << 0,
  run_loop_after_waiting = 1 << 6,
  run_loop_exit = 1 << 7,
};

/// `CFRunLoopSourceContext1`: a source that becomes ready when a descriptor does.
struct source_context {
  long version;
  void *info;
  void *_Nullable unused[5];
  int (*port)(void *info);
  void (*perform)(void *info);
};

extern object CFRunLoopGetMain(void) __attribute__((weak));
extern int32_t CFRunLoopRunInMode(object mode, double seconds, unsigned char returns_after_source)
    __attribute__((weak));
extern void CFRunLoopStop(object loop) __attribute__((weak));
extern object CFRunLoopSourceCreate(object _Nullable allocator, long order, struct source_context *context)
    __attribute__((weak));
extern void CFRunLoopAddSource(object loop, object source, object mode) __attribute__((weak));
extern object CFRunLoopObserverCreate(object _Nullable allocator, unsigned long activities, unsigned char repeats,
                                      long order, void (*callout)(object, unsigned long, void *_Nullable),
                                      void *_Nullable context) __attribute__((weak));
extern void CFRunLoopAddObserver(object loop, object observer, object mode) __attribute__((weak));
extern const object kCFRunLoopDefaultMode __attribute__((weak));

/// Whether ``darkroom_run_loop_once`` runs the loop.
static int is_running;
/// The number of nested runs of the main run loop, including those of the program's own code.
static int depth;

/// Stops the run of ``darkroom_run_loop_once`` when an event has woken it; the run handles the event before it
/// returns.
static void observe(object observer, unsigned long activity, void *_Nullable info) {
  (void)observer, (void)info;
  if (activity == run_loop_entry) depth++;
  if (activity == run_loop_exit) depth--;
  if (activity == run_loop_after_waiting && is_running && depth == 1) CFRunLoopStop(CFRunLoopGetMain());
}

static int port(void *info) { return (int)(intptr_t)info; }

/// Does nothing: the caller of ``darkroom_run_loop_once`` polls its descriptors.
static void perform(void *info) { (void)info; }

int darkroom_has_run_loop(void) { return CFRunLoopRunInMode != NULL; }

void darkroom_run_loop_watch(int descriptor) {
  struct source_context context = {
      .version = 1, .info = (void *)(intptr_t)descriptor, .port = port, .perform = perform};
  const object loop = CFRunLoopGetMain();
  CFRunLoopAddSource(loop, CFRunLoopSourceCreate(NULL, 0, &context), kCFRunLoopDefaultMode);
  const unsigned long activities = run_loop_entry | run_loop_after_waiting | run_loop_exit;
  CFRunLoopAddObserver(loop, CFRunLoopObserverCreate(NULL, activities, 1, 0, observe, NULL), kCFRunLoopDefaultMode);
}

void darkroom_run_loop_once(double seconds) {
  is_running = 1;
  CFRunLoopRunInMode(kCFRunLoopDefaultMode, seconds, 0);
  is_running = 0;
}

#pragma clang assume_nonnull end
