// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension StateRoot {
  /// Throws if the layout version of an existing root is unknown. Nothing is changed, and a missing root is
  /// accepted.
  ///
  /// Read-only commands use this instead of ``prepare()``, which needs a writable file system.
  package func checkLayout() throws(StoreError) {
    let found: [UInt8]?
    do {
      found = try FileSystem.contents(versionFile, limit: 64)
    } catch  where error.errno == .noSuchFile {
      return
    } catch  where error.errno == .notADirectory {
      throw .notADirectory(path: path)
    } catch { throw .system(error) }
    let text = String(decoding: found ?? [], as: UTF8.self)
    guard text == "\(Self.layoutVersion)\n" else {
      throw .unknownLayout(path: versionFile, found: text, known: Self.layoutVersion)
    }
  }
}
