// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Files without a name that processes keep: open ones, and ones that are only mapped.
package struct NamelessFiles: Sendable, Hashable {
  /// The bytes that each takes, by the number of its inode.
  package var bytes: [UInt64: Int64] = [:]
  /// Those that are only mapped and whose size this user is not told.
  package var unsized: Set<UInt64> = []
  /// By whom each of ``bytes`` was seen to be kept first: whoever is looked at before its children has it longer than they.
  package var keepers: [UInt64: Keeper] = [:]
  /// The number of descriptors that wait in the queues of sockets, whose files cannot be seen.
  package var queued = 0

  /// Who keeps a file, and how.
  package struct Keeper: Sendable, Hashable {
    /// The number of the process, or of its thread.
    package var process: Int32
    /// The link in its directory of `/proc` that leads to the file.
    package var link: String

    /// Says who it is.
    package init(process: Int32, link: String) {
      self.process = process
      self.link = link
    }

    /// The path that the file had as its keeper saw it; nil if the link has gone or leads elsewhere by now. It can hold
    /// whatever a name can.
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

  /// Nothing yet.
  package init() {}

  /// Adds what another look has found.
  package mutating func add(_ other: NamelessFiles) {
    bytes.merge(other.bytes) { max($0, $1) }
    keepers.merge(other.keepers) { first, _ in first }
    unsized.formUnion(other.unsized)
    unsized.subtract(bytes.keys)
    queued += other.queued
  }
}

/// How far a look at a process went.
package enum ProcessLook: Sendable, Hashable {
  /// Everything was seen.
  case seen
  /// It has ended.
  case gone
  /// This user may not look at what it has.
  case denied
}

extension ProcessFacts {
  /// Adds the files without a name on a file system that a thread has open. A thread can have descriptors of its own, and
  /// those of a process go on when its first thread has ended.
  ///
  /// Nothing is opened, so that nothing waits: each is looked at through the link of `/proc` (fstatat(2)).
  package func addOpenFiles(on mark: FileSystemMark, to files: inout NamelessFiles) -> ProcessLook {
    do {
      let open = try FileSystem.open("fd", in: .directory(rawDirectory), [.directory])
      let base = open.rawValue
      for name in try open.entryNames() {
        let number = String(decoding: name, as: UTF8.self)
        guard let status = Self.follow(number, in: base) else { continue }
        if status.kind == .socket { files.queued += queuedDescriptors(of: number) }
        add(status, by: "fd/\(number)", on: mark, to: &files)
      }
      return .seen
    } catch { return look(error) }
  }

  /// How far a look went that failed. What has ended belongs to root until somebody has taken note of it; it has no memory
  /// any more.
  private func look(_ error: SystemCallError) -> ProcessLook {
    guard error.errno == .permissionDenied || error.errno == .notPermitted, let pages, pages.size > 0
    else { return .gone }
    return .denied
  }

  /// Adds the files without a name on a file system that are mapped into the memory of the process.
  package func addMappedFiles(on mark: FileSystemMark, to files: inout NamelessFiles) -> ProcessLook {
    let base = rawDirectory
    return eachDeletedMapping { mapping in
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

  /// Calls `body` with each part of its memory that belongs to a file without a name (`/proc/PID/maps`).
  @discardableResult
  func eachDeletedMapping(_ body: (DeletedMapping) -> Void) -> ProcessLook {
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
      return .seen
    } catch { return look(error) }
  }

  private static func follow(_ path: String, in base: Int32) -> FileStatus? {
    var result = stat()
    return fstatat(base, path, &result, 0) == 0 ? FileStatus(result) : nil
  }

  private func add(
    _ status: FileStatus,
    by link: String,
    on mark: FileSystemMark,
    to files: inout NamelessFiles
  ) {
    guard status.kind == .regular, status.links == 0, status.device == mark.device else { return }
    files.bytes[status.inode] = status.allocated
    if files.keepers[status.inode] == nil {
      files.keepers[status.inode] = NamelessFiles.Keeper(process: process, link: link)
    }
  }
}
