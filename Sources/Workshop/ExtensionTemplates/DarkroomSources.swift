// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The location of Darkroom's source package.
package enum DarkroomSources {
  /// A line that identifies the manifest of Darkroom's package.
  private static let manifestMarker = "\n  name: \"darkroom\",\n"

  /// Returns the absolute path of a directory if it contains Darkroom's package, or `nil` otherwise.
  package static func sources(at path: String) -> String? {
    guard let directory = try? FileSystem.realPath(path),
      let bytes = try? FileSystem.contents("\(directory)/Package.swift", limit: 1 << 20),
      String(decoding: bytes, as: UTF8.self).contains(manifestMarker)
    else { return nil }
    return directory
  }

  /// Returns the package in which this program was built, or `nil` if the program is outside of it.
  package static func ofCurrentExecutable() -> String? {
    guard var place = try? CurrentProcess.executablePath() else { return nil }
    while place != "/", place != "." {
      place = FileSystem.directoryName(place)
      if let sources = sources(at: place) { return sources }
    }
    return nil
  }
}
