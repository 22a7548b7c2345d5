// SPDX-License-Identifier: Apache-2.0
#include <libevdev/libevdev.h>
