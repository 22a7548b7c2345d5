// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// A snapshot of the observable state of a session.
package struct SessionSnapshot: Sendable {
  /// The stage of a session.
  package enum Stage: Sendable {
    /// The extension has not answered yet.
    case starting
    /// The extension is running.
    case running
    /// The extension was dismissed.
    case dismissing
    /// No process is left, or the processes are being killed.
    case exited
  }

  /// The stage of the session.
  package var stage: Stage
  /// Whether the extension has answered the first message. Always `true` for an extension without messages.
  package var hasAnswered: Bool
  /// Whether the camera is running for the extension.
  package var isCameraOn: Bool
  /// Whether presses of capture buttons reach the extension.
  package var receivesPresses: Bool
  /// Whether contacts with the viewfinder reach the extension.
  package var receivesPointer: Bool
  /// Whether the extension has shown a viewfinder.
  package var hasPresented: Bool
  /// The number of frames that the extension has finished with.
  package var frames: Int
  /// The path of the session content directory on the host.
  package var contentDirectory: String
  /// The session's log, with control characters escaped.
  package var log: [UInt8]

  /// Creates a snapshot.
  package init(
    stage: Stage,
    hasAnswered: Bool = false,
    isCameraOn: Bool = false,
    receivesPresses: Bool = false,
    receivesPointer: Bool = false,
    hasPresented: Bool = false,
    frames: Int = 0,
    contentDirectory: String = "",
    log: [UInt8] = []
  ) {
    self.stage = stage
    self.hasAnswered = hasAnswered
    self.isCameraOn = isCameraOn
    self.receivesPresses = receivesPresses
    self.receivesPointer = receivesPointer
    self.hasPresented = hasPresented
    self.frames = frames
    self.contentDirectory = contentDirectory
    self.log = log
  }

  /// The snapshot as text.
  package var text: String {
    let stageWords =
      switch stage {
      case .starting: "the extension has not replied"
      case .running: "the extension is running"
      case .dismissing: "the extension is being dismissed"
      case .exited: "the session has ended"
      }
    return [
      stageWords, isCameraOn ? "camera running" : "camera stopped",
      frames == 1 ? "1 frame consumed" : "\(frames) frames consumed",
      hasPresented ? "viewfinder shown" : "no viewfinder shown",
      receivesPresses ? "button presses accepted" : "button presses not accepted",
    ].joined(separator: ", ")
  }
}

/// The names of the files in a session content directory.
package enum ContentNames {
  /// The maximum number of entries that are read.
  private static let limit = 10_000

  /// Returns the sorted paths of the regular files below a directory, without following symbolic links.
  package static func files(in directory: String) -> [String] {
    guard let top = try? FileSystem.open(directory, [.directory, .noFollow]) else { return [] }
    var (found, waiting, looked): ([String], [String], Int) = ([], [""], 0)
    while let place = waiting.popLast(), looked < limit {
      let path = place.isEmpty ? "." : place
      guard let opened = try? FileSystem.openBeneath(top, path, [.directory]),
        let names = try? opened.entryNames(atMost: limit)
      else { continue }
      for name in names {
        looked += 1
        let path = (place.isEmpty ? "" : "\(place)/") + String(decoding: name, as: UTF8.self)
        switch (try? opened.status(of: name))??.kind {
        case .regular?: found.append(path)
        case .directory?: waiting.append(path)
        default: break
        }
      }
    }
    return found.sorted()
  }

  /// Returns whether a name matches a pattern, in which `*` matches any text.
  package static func matches(_ pattern: String, _ name: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return pattern == name }
    guard name.hasPrefix(first), name.hasSuffix(last), name.count >= first.count + last.count else {
      return false
    }
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  /// Returns the names as a part of a sentence.
  package static func summary(_ names: [String]) -> String {
    let shown = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
    switch names.count {
    case 0: return "no files"
    case 1: return "1 file: \(shown)"
    default: return "\(names.count) files: \(shown)"
    }
  }
}
