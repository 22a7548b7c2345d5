// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SessionStore

/// The inputs that a command line names.
package enum BatchInputs {
  /// The maximum length of a list of inputs, in bytes.
  package static let maximumListBytes = 1 << 30

  /// The directories that are searched.
  package enum Depth: Sendable {
    /// The directory itself.
    case directory
    /// The directory and all directories below it, without symbolic links.
    case tree
  }

  /// Returns the regular files of a directory, ordered by the bytes of their paths.
  package static func files(in path: String, _ depth: Depth) throws(BatchError) -> [BatchInput] {
    var found: [BatchInput] = []
    do throws(SystemCallError) {
      var pending = [try FileSystem.realPath(path)]
      while let directory = pending.popLast() {
        let opened = try FileSystem.open(directory, [.directory, .noFollow])
        let prefix = Array((directory == "/" ? directory : "\(directory)/").utf8)
        for name in try opened.entryNames() {
          let entry = BatchInput(bytes: prefix + name)
          switch try opened.status(of: name)?.kind {
          case .regular: found.append(entry)
          // A directory cannot be opened by a name that is not UTF-8. The plan reports such an input.
          case .directory where depth == .tree:
            if entry.isText { pending.append(entry.path) } else { found.append(entry) }
          default: continue
          }
        }
      }
    } catch { throw .directory(error) }
    return found.sorted()
  }

  /// Returns the paths of a list in its order, without repetitions.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor from which the list is read to its end.
  ///   - separator: The byte after each path.
  ///
  /// - Returns: The inputs, which need not exist.
  ///
  /// - Throws: ``BatchError/list(_:)`` or ``BatchError/listTooLong(limit:)``.
  package static func list(from descriptor: Int32, separator: UInt8) throws(BatchError) -> [BatchInput] {
    let bytes: [UInt8]?
    let directory: String
    do throws(SystemCallError) {
      bytes = try Descriptor.duplicate(ofNumber: descriptor).readAll(limit: maximumListBytes)
      directory = try CurrentProcess.workingDirectory()
    } catch { throw .list(error) }
    guard let bytes else { throw .listTooLong(limit: maximumListBytes) }
    return paths(bytes, separator: separator, relativeTo: directory)
  }

  /// Returns the files of paths, of which none is empty, in their order and without repetitions.
  ///
  /// - Throws: ``BatchError/list(_:)`` if the working directory, to which relative paths belong, was removed.
  package static func named(_ names: [String]) throws(BatchError) -> [BatchInput] {
    let directory: String
    do throws(SystemCallError) { directory = try CurrentProcess.workingDirectory() } catch {
      throw .list(error)
    }
    return paths(Array(names.joined(separator: "\0").utf8), separator: 0, relativeTo: directory)
  }

  /// Returns the absolute paths of a list in its order, without repetitions. A path that exists has no
  /// symbolic link, so that two names of one file are one input.
  static func paths(_ list: [UInt8], separator: UInt8, relativeTo directory: String) -> [BatchInput] {
    var known: Set<BatchInput> = []
    return list.split(separator: separator).compactMap { part in
      let isAbsolute = part.first == UInt8(ascii: "/")
      var input = BatchInput(bytes: (isAbsolute ? [] : Array("\(directory)/".utf8)) + part)
      if input.isText, let real = try? FileSystem.realPath(input.path) { input = BatchInput(real) }
      return known.insert(input).inserted ? input : nil
    }
  }
}
