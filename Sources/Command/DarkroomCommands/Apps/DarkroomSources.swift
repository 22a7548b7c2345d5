// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Where Darkroom's package is.
enum DarkroomSources {
  /// A line that the package's manifest has and hardly any other.
  private static let mark = "\n  name: \"darkroom\",\n"

  /// The absolute path of a directory that holds the package; nil if it does not.
  static func sources(at path: String) -> String? {
    guard let directory = try? FileSystem.realPath(path),
      let bytes = try? FileSystem.contents("\(directory)/Package.swift", limit: 1 << 20),
      String(decoding: bytes, as: UTF8.self).contains(mark)
    else { return nil }
    return directory
  }

  /// The package in which this program was built; nil if it was copied away from there.
  static func ofThisProgram() -> String? {
    guard var place = try? CurrentProcess.executablePath() else { return nil }
    while place != "/", place != "." {
      place = FileSystem.directoryName(place)
      if let sources = sources(at: place) { return sources }
    }
    return nil
  }
}
