// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The source directory of the package that contains the tests.
package enum PackageDirectory {
  /// The path of the directory that contains `Package.swift`.
  package static let path = FileSystem.directoryName(
    FileSystem.directoryName(FileSystem.directoryName(#filePath))
  )
}
