// SPDX-License-Identifier: Apache-2.0

internal import CExtensionLibrary

/// The C library for extensions, which an app in C contains as one header and one source file.
///
/// The extension therefore depends on no file of the host in its sandbox, and on no installed version of the
/// library.
enum CLibrary {
  /// The public header.
  static var header: [UInt8] { Array(String(cString: extension_library_header()).utf8) }

  /// All internal headers and sources as one file.
  static var source: [UInt8] {
    let lines = String(cString: extension_library_source())
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("#include \"") }
    return Array((beginning + lines.joined(separator: "\n")).utf8)
  }

  /// The start of the file. The sources use functions that are not part of the C standard.
  private static let beginning = """
    // The C library for capture extensions of Darkroom, in one file. darkroom.h describes the functions.
    #ifndef _GNU_SOURCE
    #define _GNU_SOURCE
    #endif
    #include "darkroom.h"

    """
}
