// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Returns the public header of the C library for extensions.
///
/// This function is provided because a Swift array of the same bytes takes the compiler 8 seconds.
const char *_Nonnull extension_library_header(void);

/// Returns the internal headers and the sources of the C library in one text.
///
/// This function is provided because a Swift array of the same bytes takes the compiler 16 seconds.
const char *_Nonnull extension_library_source(void);
