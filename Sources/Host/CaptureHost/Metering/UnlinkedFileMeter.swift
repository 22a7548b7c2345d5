// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Refusals
internal import SandboxPolicy

/// Measures the unlinked files of a session on the file system of its directory.
///
/// An unlinked file was removed while it is open or mapped, or was created without a name (`O_TMPFILE`).
package final class UnlinkedFileMeter {
  /// The longest interval between two scans of the processes while nothing seems to change, in nanoseconds.
  /// Some file systems count data late that is only in memory.
  private static let maximumScanInterval: UInt64 = 2_000_000_000

  private let path: String
  private let largestFile: Int64
  private let limit: Int64
  /// Determined by the first scan, because this takes longer than the rest of the preparation, and many
  /// sessions exit before a scan.
  private lazy var mark = try? FileSystemIdentity.cached(of: path)
  private let scanTimeLimit: UInt64
  /// The files that the host passed to the session. They do not count as the session's.
  private let inheritedFiles: [FileStatus]
  /// The lowest use of the file system since before the session started, in bytes.
  private var baseline: Int64
  private var last = Sample()
  /// The result of the last scan.
  package private(set) var use = UnlinkedFileUsage()
  /// The reason why the last measurement counted more than it found, or `nil` if it did not.
  private(set) var uncertainty: UnlinkedFileUsage.Uncertainty?
  /// A description of the largest file if the last measurement exceeded the limit, otherwise `nil`.
  private(set) var largest: String?
  /// Whether the last scan reached its time limit.
  private var wasIncomplete = false
  /// The earliest time of the next scan, which bounds the cost to a fifth of a processor.
  private var nextScan: UInt64 = 0

  /// The values whose change triggers a scan.
  private struct Sample: Equatable {
    var inUse: Int64 = -1
    var named: Int64 = -1
    var time: UInt64 = 0
  }

  /// Creates a meter before the session starts.
  ///
  /// - Parameters:
  ///   - directory: The host's directory that contains the content directory of the session.
  ///   - descriptors: The descriptors that the session is passed.
  ///   - limits: The limits of the policy.
  ///   - longestLook: The time limit of a scan, in nanoseconds of processor time.
  init(
    directory: String,
    given descriptors: [Int32],
    limits: PolicyLimits,
    longestLook: UInt64 = 50_000_000
  ) {
    self.scanTimeLimit = longestLook
    path = directory
    largestFile = Int64(limits.fileSize)
    limit = Int64(limits.sessionBytes)
    inheritedFiles = descriptors.compactMap { try? Descriptor.status(ofNumber: $0) }.filter {
      $0.kind == .regular
    }
    baseline = (try? FileSystem.usedSpace(directory)).map(Int64.init) ?? 0
  }

  /// Returns the bytes of the unlinked files that the processes below `root` keep.
  ///
  /// `named` is the number of bytes in files that have names.
  package func measure(below root: Int32, named: Int64) -> Int64 {
    let inUse = (try? FileSystem.usedSpace(path)).map(Int64.init) ?? baseline
    baseline = min(baseline, inUse)
    let now = MonotonicClock.now
    let room = max(0, inUse - baseline - named)
    let isDue = inUse != last.inUse || named != last.named || now - last.time >= Self.maximumScanInterval
    // If a scan takes too long, it must not delay a verdict.
    let isLate = use.inaccessible == .timedOut && room > limit - named
    if isDue, now >= nextScan, !isLate {
      let began = MonotonicClock.threadTime
      last = Sample(inUse: inUse, named: named, time: now)
      use = scan(below: root)
      // A single scan may have counted a process of another session, because PIDs are reused within a second
      // if thousands of processes are created. Files that the session keeps are found again by a second scan,
      // whichever process holds them then. The same applies to descriptors that a program passes to another
      // of its processes.
      if !use.hasInaccessibleProcesses || use.inaccessible == .queued,
        use.bytes(room: room, largestFile: largestFile) > limit - named
      {
        use = use.confirmed(by: scan(below: root), room: room, largestFile: largestFile)
      }
      nextScan = MonotonicClock.now + (MonotonicClock.threadTime - began) * 4
    }
    uncertainty = use.uncertainty(room: room, largestFile: largestFile)
    let bytes = use.bytes(room: room, largestFile: largestFile)
    largest = bytes > limit - named ? use.largest.map(Self.description) : nil
    return bytes
  }

  /// Returns a description of a file and of the process that holds it, with which the author of an extension
  /// can find the file.
  private static func description(_ file: UnlinkedFileUsage.File) -> String {
    // The process may have closed the file meanwhile, and another may hold it.
    guard let path = file.holder.path(of: file.inode) else {
      return "\(file.bytes) in a file of process \(file.holder.process)"
    }
    return "\(file.bytes) in \(UntrustedText.unquoted(path)), which process \(file.holder.process) keeps open"
  }

  private func scan(below root: Int32) -> UnlinkedFileUsage {
    guard let mark, ProcessTreeCensus.isPossible else { return UnlinkedFileUsage(hidden: .denied) }
    // The second consecutive scan has twice the time.
    let census = UnlinkedFileCensus.take(
      below: root,
      on: mark,
      longest: wasIncomplete ? scanTimeLimit * 2 : scanTimeLimit
    )
    let isIncomplete = census.isIncomplete && wasIncomplete
    // A single scan can reach its time limit because the host of a virtual processor was busy, as that time
    // counts as well. The next scan is made soon, and until then the use of a shared file system is not
    // attributed to the session. The next scan is also made soon if processes exited before they were
    // inspected.
    if census.isIncomplete && !wasIncomplete || census.hasMissedProcesses { last = Sample() }
    wasIncomplete = census.isIncomplete
    let own = Set(inheritedFiles.lazy.filter { $0.device == mark.device }.map(\.inode))
    let files = census.files.bytes.filter { !own.contains($0.key) }
    return UnlinkedFileUsage(
      seen: files.values.reduce(0, +),
      largest: files.max { $0.value < $1.value }.flatMap { inode, bytes in
        census.files.holders[inode].map { UnlinkedFileUsage.File(inode: inode, bytes: bytes, holder: $0) }
      },
      unsized: census.files.unsized.subtracting(own).count,
      hidden: census.hasInaccessibleProcesses
        ? .denied : isIncomplete ? .timedOut : census.files.queued > 0 ? .queued : nil
    )
  }
}
