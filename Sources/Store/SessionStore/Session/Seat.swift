// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The foreground, which one session at a time can hold. It is released when the holding process exits.
package struct ForegroundLock: ~Copyable {
  private let lock: FileLock

  /// The session in the foreground.
  package struct Holder: Hashable, Sendable, CustomStringConvertible {
    /// The ID of the session.
    package var session: String
    /// The ID of the extension.
    package var extensionID: String

    /// Creates a holder.
    package init(session: String, extensionID: String) {
      self.session = session
      self.extensionID = extensionID
    }

    /// The extension and its session as text.
    package var description: String { "\(extensionID) (session \(session))" }
  }

  /// The result of an attempt to enter the foreground.
  package enum Attempt: ~Copyable {
    /// The session is in the foreground.
    case acquired(ForegroundLock)
    /// Another session is in the foreground, or `nil` if it has not been identified yet.
    case held(by: Holder?)
  }

  /// Moves a session into the foreground unless another session is in the foreground.
  package static func attempt(
    in root: StateRoot,
    for holder: Holder
  ) throws(StoreError) -> Attempt {
    let lock = try system { () throws(SystemCallError) in try FileLock.tryLock(root.foregroundLockFile) }
    guard let lock else { return .held(by: Self.holder(in: root)) }
    let note: JSONValue = [
      "session": .string(holder.session), "extension": .string(holder.extensionID),
    ]
    try Document.write(note, to: root.foregroundFile)
    return .acquired(ForegroundLock(lock: lock))
  }

  /// Returns the recorded holder, or `nil` if there is none.
  private static func holder(in root: StateRoot) -> Holder? {
    guard let note = try? Document.read(root.foregroundFile), let session = note["session"]?.string,
      let extensionID = note["extension"]?.string
    else { return nil }
    return Holder(session: session, extensionID: extensionID)
  }
}
