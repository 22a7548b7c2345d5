// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Unlinked files that processes have open or mapped.
package struct UnlinkedFiles: Sendable, Hashable {
  /// The allocated bytes of each file, by inode number.
  package var bytes: [UInt64: Int64] = [:]
  /// The inode numbers of files that are only mapped and whose size this user may not read.
  package var unsized: Set<UInt64> = []
  /// The first process found that holds each file of ``bytes``. A parent that is inspected before its
  /// children comes first.
  package var holders: [UInt64: Holder] = [:]
  /// The number of descriptors in socket queues. Their files are not visible.
  package var queued = 0

  /// A process that holds a file, and the link to the file.
  package struct Holder: Sendable, Hashable {
    /// The ID of the process or thread.
    package var process: Int32
    /// The link to the file in the process directory of `/proc`.
    package var link: String

    /// Creates a holder.
    package init(process: Int32, link: String) {
      self.process = process
      self.link = link
    }

    /// Returns the former path of the file in the mount namespace of the process that has it open. Returns `nil`
    /// if the link no longer exists or leads to another file. The path can contain any characters.
    package func path(of inode: UInt64) -> String? {
      let link = "/proc/\(process)/\(link)"
      var result = stat()
      guard let target = try? FileSystem.linkTarget(link), target.hasSuffix(Self.mark),
        fstatat(AT_FDCWD, link, &result, 0) == 0, UInt64(result.st_ino) == inode
      else { return nil }
      return String(target.dropLast(Self.mark.count))
    }

    private static let mark = " (deleted)"
  }

  /// Creates an empty result.
  package init() {}

  /// Adds the files of another result.
  package mutating func add(_ other: UnlinkedFiles) {
    bytes.merge(other.bytes) { max($0, $1) }
    holders.merge(other.holders) { first, _ in first }
    unsized.formUnion(other.unsized)
    unsized.subtract(bytes.keys)
    queued += other.queued
  }
}

/// The result of the inspection of a process.
package enum ProcessInspection: Sendable, Hashable {
  /// The inspection is complete.
  case complete
  /// The process has exited.
  case exited
  /// This user may not inspect the process.
  case denied
}

extension ProcessFacts {
  /// Adds the unlinked files of a file system that a thread has open. Threads can have separate descriptor
  /// tables, and descriptors survive the exit of the main thread.
  ///
  /// Files are examined through links in `/proc` (fstatat(2)) without opening them, so the call does not
  /// block.
  package func addOpenFiles(on mark: FileSystemIdentity, to files: inout UnlinkedFiles) -> ProcessInspection {
    do {
      let open = try FileSystem.open("fd", in: .directory(rawDirectory), [.directory])
      let base = open.rawValue
      for name in try open.entryNames() {
        let number = String(decoding: name, as: UTF8.self)
        guard let status = Self.follow(number, in: base) else { continue }
        if status.kind == .socket { files.queued += queuedDescriptors(of: number) }
        add(status, by: "fd/\(number)", on: mark, to: &files)
      }
      return .complete
    } catch { return look(error) }
  }

  /// Returns the result for a failed inspection. A process that has exited belongs to root until it is
  /// reaped, and has no memory.
  private func look(_ error: SystemCallError) -> ProcessInspection {
    guard error.errno == .permissionDenied || error.errno == .notPermitted, let pages, pages.size > 0
    else { return .exited }
    return .denied
  }

  /// Adds the unlinked files of a file system that the process has mapped.
  package func addMappedFiles(on mark: FileSystemIdentity, to files: inout UnlinkedFiles) -> ProcessInspection
  {
    let base = rawDirectory
    return forEachDeletedMapping { mapping in
      guard mapping.device == mark.mapped, files.bytes[mapping.inode] == nil else { return }
      // Only root may follow these links.
      let link = "map_files/\(mapping.name)"
      if let status = Self.follow(link, in: base) {
        add(status, by: link, on: mark, to: &files)
      } else {
        files.unsized.insert(mapping.inode)
      }
    }
  }

  /// Calls `body` with each mapping of an unlinked file (`/proc/PID/maps`).
  @discardableResult
  func forEachDeletedMapping(_ body: (DeletedMapping) -> Void) -> ProcessInspection {
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { chunk.deallocate() }
    do {
      let maps = try FileSystem.open("maps", in: .directory(rawDirectory), .read)
      var rest: [UInt8] = []
      while case .bytes(let count) = try maps.read(into: chunk) {
        rest.append(contentsOf: chunk[..<count])
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let last = lines.popLast() ?? []
        for line in lines { if let mapping = DeletedMapping(line: line) { body(mapping) } }
        rest = Array(last)
      }
      return .complete
    } catch { return look(error) }
  }

  private static func follow(_ path: String, in base: Int32) -> FileStatus? {
    var result = stat()
    return fstatat(base, path, &result, 0) == 0 ? FileStatus(result) : nil
  }

  private func add(
    _ status: FileStatus,
    by link: String,
    on mark: FileSystemIdentity,
    to files: inout UnlinkedFiles
  ) {
    guard status.kind == .regular, status.links == 0, status.device == mark.device else { return }
    files.bytes[status.inode] = status.allocated
    if files.holders[status.inode] == nil {
      files.holders[status.inode] = UnlinkedFiles.Holder(process: process, link: link)
    }
  }
}
