// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The file of one session's record, which the host writes and an app may add to.
struct RecordText: Sendable {
  private let directory: String
  private let path: String

  /// The record of a session.
  init(_ container: AppContainer, _ name: String) {
    directory = container.recordsDirectory
    path = "\(directory)/\(name).json"
  }

  /// Reads it; nil if there is none, or it is damaged.
  func read() throws(SystemCallError) -> JSONValue? {
    let bytes: [UInt8]?
    do {
      bytes = try FileSystem.open(path, [.noFollow]).readAll(limit: JSONLimits.record.bytes)
    } catch  where error.errno == .noSuchFile {
      return nil
    }
    return bytes.flatMap { try? JSONNode.parse($0, limits: .record).value }
  }

  /// Adds an element to an array of the record, excluding everybody else who changes it.
  func append(_ element: JSONValue, to array: String) throws(SystemCallError) {
    let lock: FileLock
    do {
      lock = try FileLock.lock(owning: FileSystem.open(directory, [.directory]))
    } catch  where error.errno == .noSuchFile {
      return
    }
    guard var members = try read()?.members,
      let index = members.firstIndex(where: { $0.name == array }),
      let elements = members[index].value.elements
    else { return }
    members[index].value = .array(elements + [element])
    try FileSystem.replaceContents(path, with: JSONValue.object(members).bytes(.indented))
    _ = lock
  }
}
