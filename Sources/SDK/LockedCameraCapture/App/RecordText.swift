// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The file of one session record, which the host writes and the app may extend.
struct SessionRecordFile: Sendable {
  private let directory: String
  private let path: String

  /// Creates the file of a session's record.
  init(_ container: AppContainer, _ name: String) {
    directory = container.recordsDirectory
    path = "\(directory)/\(name).json"
  }

  /// Returns the record, or `nil` if it is missing or damaged.
  func read() throws(SystemCallError) -> JSONValue? {
    let bytes: [UInt8]?
    do {
      bytes = try FileSystem.open(path, [.noFollow]).readAll(limit: JSONLimits.record.bytes)
    } catch  where error.errno == .noSuchFile {
      return nil
    }
    return bytes.flatMap { try? JSONNode.parse($0, limits: .record).value }
  }

  /// Appends an element to an array of the record, under the lock that all writers take.
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
