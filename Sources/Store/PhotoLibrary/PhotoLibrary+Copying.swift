// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

extension PhotoLibrary {
  /// Returns all assets that the user may see, newest first.
  package func all() throws(PhotoLibraryError) -> [Asset] {
    var assets: [Asset] = []
    var after: String?
    repeat {
      let page = try list(for: .user, after: after, atMost: 500)
      assets += page.assets
      after = page.next
    } while after != nil
    return assets
  }

  /// Adds a copy of a file at a path for an app. The file stays in place.
  package func add(copyOf path: String, for app: String) throws(PhotoLibraryError) -> Asset {
    let parent = FileSystem.directoryName(path)
    let directory: Descriptor
    do { directory = try FileSystem.open(parent, [.directory]) } catch {
      throw .unsuitableFile(path: path, .unreachable(error.errno))
    }
    let name = FileSystem.lastComponent(path)
    return try add(Ingest(directory: parent, path: name, app: app), in: directory)
  }

  /// Copies the opened file of an asset to a path that does not exist yet. An incomplete copy is removed.
  package static func copy(_ file: borrowing Descriptor, to path: String) throws(SystemCallError) {
    let copy = try FileSystem.open(path, [.write, .create, .exclusive, .noFollow], mode: 0o644)
    do throws(SystemCallError) {
      try file.copyAll(to: copy)
      try copy.synchronize()
    } catch {
      try? FileSystem.unlink(path)
      throw error
    }
  }
}
