// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// What the app keeps of a clown: every portrait, and the one that the others see.
struct Profile: Sendable {
  /// The app's own directory.
  let directory: URL
  /// The portraits, a directory a session.
  var portraits: URL { directory.appending(path: "portraits", directoryHint: .isDirectory) }
  /// Where the profile photo is kept.
  private var place: URL { directory.appending(path: "profile.jpg") }
  /// A line for each time that the profile photo was changed.
  private var history: URL { directory.appending(path: "history.txt") }

  /// The clown's own: `CLOWNTOWN_DATA`, else `clowntown` in the directory that the system has for the data of apps.
  static func standard() throws -> Profile {
    let variables = ProcessInfo.processInfo.environment
    let directory: String
    if let own = variables["CLOWNTOWN_DATA"] {
      directory = own
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

  /// The profile photo; nil if there is none.
  var photo: URL? {
    FileManager.default.fileExists(atPath: place.path(percentEncoded: false)) ? place : nil
  }

  /// Makes a portrait the profile photo.
  func update(to portrait: String, of session: UUID) throws {
    let source = portraits.appending(path: "\(session.uuidString.lowercased())/\(portrait)")
    try Data(contentsOf: source).write(to: place, options: .atomic)
    let line = "\(session.uuidString.lowercased()) \(portrait)\n"
    guard let file = fopen(history.path(percentEncoded: false), "a") else { throw ProfileError.noHistory }
    fputs(line, file)
    fclose(file)
  }
}

/// Why the app can keep nothing.
enum ProfileError: Error, CustomStringConvertible {
  /// Nobody says where.
  case noHome
  /// The list of changes cannot be opened.
  case noHistory

  /// A sentence with the mend.
  var description: String {
    switch self {
    case .noHome: "there is no place for the app's data; set HOME or CLOWNTOWN_DATA"
    case .noHistory: "history.txt in the app's directory cannot be written; look at its permissions"
    }
  }
}
