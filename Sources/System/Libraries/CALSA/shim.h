// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

/// The functions of libasound that Darkroom uses, without their prefix `snd_`.
#define DARKROOM_ALSA_FUNCTIONS(X)                                                                                    \
  X(device_name_free_hint)                                                                                            \
  X(device_name_get_hint)                                                                                             \
  X(device_name_hint)                                                                                                 \
  X(lib_error_set_handler)                                                                                            \
  X(pcm_avail_update)                                                                                                 \
  X(pcm_close)                                                                                                        \
  X(pcm_drop)                                                                                                         \
  X(pcm_htimestamp)                                                                                                   \
  X(pcm_hw_params)                                                                                                    \
  X(pcm_hw_params_any)                                                                                                \
  X(pcm_hw_params_free)                                                                                               \
  X(pcm_hw_params_malloc)                                                                                             \
  X(pcm_hw_params_set_access)                                                                                         \
  X(pcm_hw_params_set_buffer_time_near)                                                                               \
  X(pcm_hw_params_set_channels_near)                                                                                  \
  X(pcm_hw_params_set_format)                                                                                         \
  X(pcm_hw_params_set_period_time_near)                                                                               \
  X(pcm_hw_params_set_rate_near)                                                                                      \
  X(pcm_open)                                                                                                         \
  X(pcm_poll_descriptors)                                                                                             \
  X(pcm_poll_descriptors_count)                                                                                       \
  X(pcm_poll_descriptors_revents)                                                                                     \
  X(pcm_prepare)                                                                                                      \
  X(pcm_readi)                                                                                                        \
  X(pcm_start)                                                                                                        \
  X(pcm_sw_params)                                                                                                    \
  X(pcm_sw_params_current)                                                                                            \
  X(pcm_sw_params_free)                                                                                               \
  X(pcm_sw_params_malloc)                                                                                             \
  X(pcm_sw_params_set_tstamp_mode)                                                                                    \
  X(pcm_sw_params_set_tstamp_type)                                                                                    \
  X(strerror)

/// Pointers to the functions of libasound, which is loaded on first use.
struct darkroom_alsa {
#define DARKROOM_ALSA_MEMBER(name) __typeof__(&snd_##name) _Nonnull name;
  DARKROOM_ALSA_FUNCTIONS(DARKROOM_ALSA_MEMBER)
#undef DARKROOM_ALSA_MEMBER
};

/// Discards the error messages of the library, which it would otherwise write to standard error. Failed calls return the
/// errors.
static inline void darkroom_alsa_ignore(const char *_Nullable file, int line, const char *_Nullable function, int error,
                                        const char *_Nullable format, ...) {
  (void)file;
  (void)line;
  (void)function;
  (void)error;
  (void)format;
}

/// Loads libasound. Returns 0, or -1 on failure. Called when the first microphone is opened, so that other commands do not
/// load the library.
static inline int darkroom_alsa_load(struct darkroom_alsa *_Nonnull library) {
  void *handle = dlopen("libasound.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return -1;
  void *found;
#define DARKROOM_ALSA_LOAD(name)                                                                                      \
  if (!(found = dlsym(handle, "snd_" #name))) return -1;                                                              \
  library->name = (__typeof__(&snd_##name))found;
  DARKROOM_ALSA_FUNCTIONS(DARKROOM_ALSA_LOAD)
#undef DARKROOM_ALSA_LOAD
  library->lib_error_set_handler(darkroom_alsa_ignore);
  return 0;
}

/// The settings of a device.
struct darkroom_alsa_form {
  /// Samples per second and channel.
  unsigned rate;
  /// The number of channels.
  unsigned channels;
};

/// Sets an open device to 16-bit samples, and to the rate and number of channels nearest to `form`. Stores the actual
/// values in `form`. Returns 0, or a negative errno. In C, because the parameters are opaque structures of the library.
static inline int darkroom_alsa_set(const struct darkroom_alsa *_Nonnull library, snd_pcm_t *_Nonnull pcm,
                                    struct darkroom_alsa_form *_Nonnull form) {
  snd_pcm_hw_params_t *hardware;
  int result = library->pcm_hw_params_malloc(&hardware);
  if (result < 0) return result;
  unsigned buffer = 500000, period = 10000;
  result = library->pcm_hw_params_any(pcm, hardware);
  if (result >= 0) result = library->pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED);
  if (result >= 0) result = library->pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_S16_LE);
  if (result >= 0) result = library->pcm_hw_params_set_channels_near(pcm, hardware, &form->channels);
  if (result >= 0) result = library->pcm_hw_params_set_rate_near(pcm, hardware, &form->rate, NULL);
  if (result >= 0) result = library->pcm_hw_params_set_buffer_time_near(pcm, hardware, &buffer, NULL);
  if (result >= 0) result = library->pcm_hw_params_set_period_time_near(pcm, hardware, &period, NULL);
  if (result >= 0) result = library->pcm_hw_params(pcm, hardware);
  library->pcm_hw_params_free(hardware);
  if (result < 0) return result;
  snd_pcm_sw_params_t *software;
  // Timestamps are optional: devices without them are supported.
  if (library->pcm_sw_params_malloc(&software) < 0) return 0;
  if (library->pcm_sw_params_current(pcm, software) >= 0) {
    library->pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE);
    library->pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC);
    library->pcm_sw_params(pcm, software);
  }
  library->pcm_sw_params_free(software);
  return 0;
}

/// The result of a wait for a device.
enum __attribute__((enum_extensibility(closed))) darkroom_alsa_sign : int {
  darkroom_alsa_ready __attribute__((swift_name("ready"))) = 0,
  darkroom_alsa_time_up __attribute__((swift_name("timeUp"))) = 1,
  darkroom_alsa_stopped __attribute__((swift_name("stopped"))) = 2,
};

/// Waits until a device is ready, `stop` is readable, or the timeout has expired. In C, because a device can have several
/// descriptors, and only the library can interpret their events.
static inline enum darkroom_alsa_sign darkroom_alsa_wait(const struct darkroom_alsa *_Nonnull library,
                                                         snd_pcm_t *_Nullable pcm, int stop, int milliseconds) {
  enum { most = 16 };
  struct pollfd watched[most] = {{.fd = stop, .events = POLLIN}};
  int count = pcm ? library->pcm_poll_descriptors_count(pcm) : 0;
  if (count < 0 || count > most - 1) count = 0;
  if (count > 0) count = library->pcm_poll_descriptors(pcm, watched + 1, (unsigned)count);
  if (count < 0) count = 0;
  int found = poll(watched, (nfds_t)count + 1, milliseconds);
  if (found > 0 && watched[0].revents) return darkroom_alsa_stopped;
  if (found == 0) return darkroom_alsa_time_up;
  if (found > 0 && count > 0) {
    unsigned short events = 0;
    library->pcm_poll_descriptors_revents(pcm, watched + 1, (unsigned)count, &events);
  }
  return darkroom_alsa_ready;
}
