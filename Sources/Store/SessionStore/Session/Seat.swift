// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The place in front of the person, which one session at a time can have; it is free again when its holder dies.
package struct Seat: ~Copyable {
  private let lock: FileLock

  /// Who has the seat.
  package struct Holder: Hashable, Sendable, CustomStringConvertible {
    /// The session.
    package var session: String
    /// The extension that runs in it.
    package var extensionID: String

    /// Names a holder.
    package init(session: String, extensionID: String) {
      self.session = session
      self.extensionID = extensionID
    }

    /// The extension and its session.
    package var description: String { "\(extensionID) (session \(session))" }
  }

  /// What came of asking for the seat.
  package enum Attempt: ~Copyable {
    /// The session has it.
    case taken(Seat)
    /// Another has it; nil if that has not said yet which it is.
    case held(by: Holder?)
  }

  /// Takes the seat for a session if nobody has it.
  package static func attempt(
    in root: StateRoot,
    for holder: Holder
  ) throws(StoreError) -> Attempt {
    let lock = try system { () throws(SystemCallError) in try FileLock.tryLock(root.seatLockFile) }
    guard let lock else { return .held(by: Self.holder(in: root)) }
    let note: JSONValue = [
      "session": .string(holder.session), "extension": .string(holder.extensionID),
    ]
    try Document.write(note, to: root.seatFile)
    return .taken(Seat(lock: lock))
  }

  /// Who has noted down that they have the seat.
  private static func holder(in root: StateRoot) -> Holder? {
    guard let note = try? Document.read(root.seatFile), let session = note["session"]?.string,
      let extensionID = note["extension"]?.string
    else { return nil }
    return Holder(session: session, extensionID: extensionID)
  }
}
