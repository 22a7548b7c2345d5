// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The storage of a user profile: all portraits and the profile photo.
struct Profile: Sendable {
  /// The directory of the app.
  let directory: URL
  /// The directory of the portraits, with one subdirectory per session.
  var portraits: URL { directory.appending(path: "portraits", directoryHint: .isDirectory) }
  /// The file of the profile photo.
  private var photoFile: URL { directory.appending(path: "profile.jpg") }
  /// The file with one line for each change of the profile photo.
  private var history: URL { directory.appending(path: "history.txt") }

  /// Returns the user's profile in `CLOWNTOWN_DATA`, or else in `clowntown` below the XDG data directory.
  static func standard() throws -> Profile {
    let variables = ProcessInfo.processInfo.environment
    let directory: String
    if let customDirectory = variables["CLOWNTOWN_DATA"] {
      directory = customDirectory
    } else if let data = variables["XDG_DATA_HOME"], data.hasPrefix("/") {
      directory = "\(data)/clowntown"
    } else {
      guard let home = variables["HOME"] else { throw ProfileError.noHome }
      directory = "\(home)/.local/share/clowntown"
    }
    let profile = Profile(directory: URL(filePath: directory, directoryHint: .isDirectory))
    try FileManager.default.createDirectory(at: profile.portraits, withIntermediateDirectories: true)
    return profile
  }

  /// The profile photo, or `nil` if there is none.
  var photo: URL? {
    FileManager.default.fileExists(atPath: photoFile.path(percentEncoded: false)) ? photoFile : nil
  }

  /// Makes a portrait the profile photo.
  func update(to portrait: String, of session: UUID) throws {
    let source = portraits.appending(path: "\(session.uuidString.lowercased())/\(portrait)")
    try Data(contentsOf: source).write(to: photoFile, options: .atomic)
    let line = "\(session.uuidString.lowercased()) \(portrait)\n"
    guard let file = fopen(history.path(percentEncoded: false), "a") else { throw ProfileError.noHistory }
    fputs(line, file)
    fclose(file)
  }
}

/// An error of the profile storage.
enum ProfileError: Error, CustomStringConvertible {
  /// Neither `HOME` nor `CLOWNTOWN_DATA` is set.
  case noHome
  /// The list of changes cannot be opened.
  case noHistory

  /// The error message with the fix.
  var description: String {
    switch self {
    case .noHome: "no directory for the app's data; set HOME or CLOWNTOWN_DATA"
    case .noHistory: "history.txt in the app's directory cannot be written; check its permissions"
    }
  }
}
