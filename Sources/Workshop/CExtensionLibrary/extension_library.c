// SPDX-License-Identifier: Apache-2.0
#include "extension_library.h"

// The directory Sources/SDK/CDarkroom is a search path for headers, and therefore also for .incbin. The compiler records
// files of __has_include as dependencies, so that a changed source is embedded again.

#if !(__has_include("include/darkroom.h") && __has_include("json.h") && __has_include("results.h") && \
      __has_include("ring.h") && __has_include("session.h") && __has_include("image.h") && __has_include("json.c") && \
      __has_include("text.c") && __has_include("results.c") && __has_include("files.c") && \
      __has_include("messages.c") && __has_include("session.c") && __has_include("facts.c") && \
      __has_include("events.c") && __has_include("ring.c") && __has_include("camera.c") && \
      __has_include("viewfinder.c") && __has_include("microphone.c") && __has_include("requests.c") && \
      __has_include("photos.c") && __has_include("controls.c") && __has_include("image.c") && \
      __has_include("jpeg.c") && __has_include("png.c") && __has_include("deflate.c"))
#error "a file of Sources/SDK/CDarkroom is missing"
#endif

__asm__(
    ".section .rodata.extension_library,\"a\",%progbits\n"
    "extension_library_header_text:\n"
    ".incbin \"include/darkroom.h\"\n"
    ".byte 0\n"
    "extension_library_source_text:\n"
    // Each internal header precedes the sources that use its declarations.
    ".incbin \"json.h\"\n"
    ".incbin \"results.h\"\n"
    ".incbin \"ring.h\"\n"
    ".incbin \"session.h\"\n"
    ".incbin \"image.h\"\n"
    ".incbin \"json.c\"\n"
    ".incbin \"text.c\"\n"
    ".incbin \"results.c\"\n"
    ".incbin \"files.c\"\n"
    ".incbin \"messages.c\"\n"
    ".incbin \"session.c\"\n"
    ".incbin \"facts.c\"\n"
    ".incbin \"events.c\"\n"
    ".incbin \"ring.c\"\n"
    ".incbin \"camera.c\"\n"
    ".incbin \"viewfinder.c\"\n"
    ".incbin \"microphone.c\"\n"
    ".incbin \"requests.c\"\n"
    ".incbin \"photos.c\"\n"
    ".incbin \"controls.c\"\n"
    ".incbin \"image.c\"\n"
    ".incbin \"jpeg.c\"\n"
    ".incbin \"png.c\"\n"
    ".incbin \"deflate.c\"\n"
    ".byte 0\n"
    ".previous\n");

extern const char extension_library_header_text[], extension_library_source_text[];

const char *extension_library_header(void) { return extension_library_header_text; }

const char *extension_library_source(void) { return extension_library_source_text; }
