// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension StateRoot {
  /// Refuses a root whose layout this code does not know, and changes nothing; a root that is not there is no fault.
  ///
  /// For who only looks: ``prepare()`` makes the root, which on a file system that is mounted read-only is impossible.
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
