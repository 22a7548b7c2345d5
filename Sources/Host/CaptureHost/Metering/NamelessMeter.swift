// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Refusals
internal import SandboxPolicy

/// Measures what a session keeps in files of its directory's file system that have no name: removed while they are open
/// or mapped, or made without one (`O_TMPFILE`).
package final class NamelessMeter {
  /// How long the processes go unobserved where nothing seems to change, in nanoseconds: some file systems count what
  /// is only in memory yet late.
  private static let longestRest: UInt64 = 2_000_000_000

  private let path: String
  private let largestFile: Int64
  private let limit: Int64
  /// Found out by the first look: it takes longer than the rest of what a session needs before it begins, and many end
  /// before anybody looks.
  private lazy var mark = try? FileSystemMark.known(of: path)
  private let longestLook: UInt64
  /// The files that the host has given to the session: they are somebody else's.
  private let given: [FileStatus]
  /// The least that was in use on the file system since before the session began.
  private var lowest: Int64
  private var last = Moment()
  /// What the last look has found.
  package private(set) var use = NamelessUse()
  /// Why more was counted than was seen, the last time it was measured; nil if it was not.
  private(set) var doubt: NamelessUse.Doubt?
  /// The largest file in words, if more was counted than the session may keep, the last time it was measured.
  private(set) var largest: String?
  /// Whether the last look was cut short.
  private var wasCutShort = false
  /// When the processes may be looked at again, so that it takes no more than a fifth of a processor.
  private var nextLook: UInt64 = 0

  /// By what is noticed that something has changed.
  private struct Moment: Equatable {
    var inUse: Int64 = -1
    var named: Int64 = -1
    var time: UInt64 = 0
  }

  /// Gets ready before the session begins, which is `given` these descriptors. `directory` holds that of its content, and
  /// is the host's alone; a look takes `longestLook` nanoseconds of processor time at most.
  init(
    directory: String,
    given descriptors: [Int32],
    limits: PolicyLimits,
    longestLook: UInt64 = 50_000_000
  ) {
    self.longestLook = longestLook
    path = directory
    largestFile = Int64(limits.fileSize)
    limit = Int64(limits.sessionBytes)
    given = descriptors.compactMap { try? Descriptor.status(ofNumber: $0) }.filter { $0.kind == .regular }
    lowest = (try? FileSystem.usedSpace(directory)).map(Int64.init) ?? 0
  }

  /// The bytes that the processes below `root` keep, where files with names take `named` bytes.
  package func measure(below root: Int32, named: Int64) -> Int64 {
    let inUse = (try? FileSystem.usedSpace(path)).map(Int64.init) ?? lowest
    lowest = min(lowest, inUse)
    let now = MonotonicClock.now
    let room = max(0, inUse - lowest - named)
    let isDue = inUse != last.inUse || named != last.named || now - last.time >= Self.longestRest
    // Where looking takes too long it must not make a verdict late.
    let isLate = use.hidden == .noTime && room > limit - named
    if isDue, now >= nextLook, !isLate {
      let began = MonotonicClock.threadTime
      last = Moment(inUse: inUse, named: named, time: now)
      use = look(below: root)
      // Numbers of processes come round within a second where thousands come and go, and what is found once may be that of
      // another session's process. What a session keeps is there a second time, whoever has it then.
      // The same holds of descriptors that a program passes to another of its own.
      if !use.isHidden || use.hidden == .queued,
        use.bytes(room: room, largestFile: largestFile) > limit - named
      {
        use = use.confirmed(by: look(below: root), room: room, largestFile: largestFile)
      }
      nextLook = MonotonicClock.now + (MonotonicClock.threadTime - began) * 4
    }
    doubt = use.doubt(room: room, largestFile: largestFile)
    let bytes = use.bytes(room: room, largestFile: largestFile)
    largest = bytes > limit - named ? use.largest.map(Self.words) : nil
    return bytes
  }

  /// Says which file it is, and who keeps it: whoever writes an extension has to find it there.
  private static func words(_ file: NamelessUse.File) -> String {
    // It can have been closed meanwhile, and kept otherwise.
    guard let path = file.keeper.path(of: file.inode) else {
      return "\(file.bytes) in one of process \(file.keeper.process)"
    }
    return "\(file.bytes) in \(UntrustedText.word(path)), which process \(file.keeper.process) keeps"
  }

  private func look(below root: Int32) -> NamelessUse {
    guard let mark, TreeCensus.isPossible else { return NamelessUse(hidden: .denied) }
    // The second look in turn has twice the time.
    let census = NamelessCensus.take(
      below: root,
      on: mark,
      longest: wasCutShort ? longestLook * 2 : longestLook
    )
    let isCutShort = census.isCutShort && wasCutShort
    // Once can be a moment at which the machine was somebody else's, as that of a virtual processor counts for it: the next
    // look is made soon, and what is in use on a file system that others use as well is not the session's before that. What
    // slipped away each time is looked for soon, too.
    if census.isCutShort && !wasCutShort || census.missed { last = Moment() }
    wasCutShort = census.isCutShort
    let own = Set(given.lazy.filter { $0.device == mark.device }.map(\.inode))
    let files = census.files.bytes.filter { !own.contains($0.key) }
    return NamelessUse(
      seen: files.values.reduce(0, +),
      largest: files.max { $0.value < $1.value }.flatMap { inode, bytes in
        census.files.keepers[inode].map { NamelessUse.File(inode: inode, bytes: bytes, keeper: $0) }
      },
      unsized: census.files.unsized.subtracting(own).count,
      hidden: census.isHidden ? .denied : isCutShort ? .noTime : census.files.queued > 0 ? .queued : nil
    )
  }
}
