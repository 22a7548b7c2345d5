// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <libv4l-plugin.h>
#include <libv4lconvert.h>
#include <linux/videodev2.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <string.h>
#include <sys/mman.h>

// The ioctl(2) request codes. Swift does not import macros that contain expressions.
static const unsigned long darkroom_vidioc_querycap = VIDIOC_QUERYCAP;
static const unsigned long darkroom_vidioc_enum_fmt = VIDIOC_ENUM_FMT;
static const unsigned long darkroom_vidioc_enum_framesizes = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long darkroom_vidioc_enum_frameintervals = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long darkroom_vidioc_g_fmt = VIDIOC_G_FMT;
static const unsigned long darkroom_vidioc_s_fmt = VIDIOC_S_FMT;
static const unsigned long darkroom_vidioc_g_parm = VIDIOC_G_PARM;
static const unsigned long darkroom_vidioc_s_parm = VIDIOC_S_PARM;
static const unsigned long darkroom_vidioc_reqbufs = VIDIOC_REQBUFS;
static const unsigned long darkroom_vidioc_querybuf = VIDIOC_QUERYBUF;
static const unsigned long darkroom_vidioc_qbuf = VIDIOC_QBUF;
static const unsigned long darkroom_vidioc_dqbuf = VIDIOC_DQBUF;
static const unsigned long darkroom_vidioc_streamon = VIDIOC_STREAMON;
static const unsigned long darkroom_vidioc_streamoff = VIDIOC_STREAMOFF;
static const unsigned long darkroom_vidioc_queryctrl = VIDIOC_QUERYCTRL;
static const unsigned long darkroom_vidioc_g_ctrl = VIDIOC_G_CTRL;
static const unsigned long darkroom_vidioc_s_ctrl = VIDIOC_S_CTRL;
static const unsigned long darkroom_vidioc_subscribe_event = VIDIOC_SUBSCRIBE_EVENT;
static const unsigned long darkroom_vidioc_dqevent = VIDIOC_DQEVENT;

/// Sends an ioctl(2) request to a device. Returns 0, or a negative errno. Swift cannot call variadic functions.
static inline int darkroom_v4l2_request(int fd, unsigned long request, void *_Nonnull argument) {
  int result;
  do {
    result = ioctl(fd, request, argument);
  } while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : 0;
}

/// Reads the value of an entry of an integer menu. Returns 0, or a negative errno. In C, because the value is in an
/// anonymous union of a packed structure.
static inline int darkroom_v4l2_menu_value(int fd, uint32_t control, uint32_t index, int64_t *_Nonnull value) {
  struct v4l2_querymenu entry = {.id = control, .index = index};
  const int result = darkroom_v4l2_request(fd, VIDIOC_QUERYMENU, &entry);
  *value = entry.value;
  return result;
}

/// Maps a buffer of a device. Returns NULL on failure. Swift does not import the macro MAP_FAILED.
static inline void *_Nullable darkroom_v4l2_map(int fd, size_t length, off_t offset) {
  void *address = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
  return address == MAP_FAILED ? NULL : address;
}

/// Unmaps a buffer that `darkroom_v4l2_map` has mapped.
static inline void darkroom_v4l2_unmap(void *_Nonnull address, size_t length) { munmap(address, length); }

/// Pointers to the functions of libv4lconvert that Darkroom uses.
struct darkroom_v4lconvert {
  __typeof__(&v4lconvert_create) _Nonnull create;
  __typeof__(&v4lconvert_create_with_dev_ops) _Nonnull create_with_dev_ops;
  __typeof__(&v4lconvert_destroy) _Nonnull destroy;
  __typeof__(&v4lconvert_convert) _Nonnull convert;
  __typeof__(&v4lconvert_get_error_message) _Nonnull error_message;
};

/// Loads libv4lconvert. Returns 0, or -1 on failure. Called when the first camera is opened, so that other commands do not
/// load the library and its dependencies.
static inline int darkroom_v4lconvert_load(struct darkroom_v4lconvert *_Nonnull library) {
  void *handle = dlopen("libv4lconvert.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return -1;
  void *found[] = {
      dlsym(handle, "v4lconvert_create"),  dlsym(handle, "v4lconvert_create_with_dev_ops"),
      dlsym(handle, "v4lconvert_destroy"), dlsym(handle, "v4lconvert_convert"),
      dlsym(handle, "v4lconvert_get_error_message"),
  };
  for (size_t index = 0; index < sizeof found / sizeof *found; index++)
    if (!found[index]) return -1;
  library->create = (__typeof__(&v4lconvert_create))found[0];
  library->create_with_dev_ops = (__typeof__(&v4lconvert_create_with_dev_ops))found[1];
  library->destroy = (__typeof__(&v4lconvert_destroy))found[2];
  library->convert = (__typeof__(&v4lconvert_convert))found[3];
  library->error_message = (__typeof__(&v4lconvert_get_error_message))found[4];
  return 0;
}

/// Replaces ioctl(2) for frames without a device: VIDIOC_QUERYCAP returns empty capabilities, other requests fail.
static inline int darkroom_v4lconvert_answer(void *_Nullable place, int fd, unsigned long request,
                                             void *_Nonnull argument) {
  (void)place;
  (void)fd;
  if (request == VIDIOC_QUERYCAP) {
    memset(argument, 0, sizeof(struct v4l2_capability));
    return 0;
  }
  errno = ENOTTY;
  return -1;
}

/// Creates a converter for frames that do not come from a kernel device. The library requires a table of functions, and
/// crashes if it calls a null pointer of the table.
static inline struct v4lconvert_data *_Nullable darkroom_v4lconvert_plain(
    const struct darkroom_v4lconvert *_Nonnull library) {
  static const struct libv4l_dev_ops operations = {.ioctl = darkroom_v4lconvert_answer};
  return library->create_with_dev_ops(-1, NULL, &operations);
}
