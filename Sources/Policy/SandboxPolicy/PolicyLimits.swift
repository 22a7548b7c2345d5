// SPDX-License-Identifier: Apache-2.0

/// A limit that a policy can set; the raw value is its key.
package enum LimitName: String, CaseIterable, Sendable, Hashable {
  /// Processes and threads of the session. The corresponding resource is `RLIMIT_NPROC`.
  case processes
  /// Open descriptors of one process. The corresponding resource is `RLIMIT_NOFILE`.
  case descriptors
  /// Bytes of one file. The corresponding resource is `RLIMIT_FSIZE`.
  case fileSize
  /// Seconds of processor time of one process. The corresponding resource is `RLIMIT_CPU`.
  case cpuTime
  /// Seconds from the launch to the end of the session.
  case wallClock
  /// Bytes of one process's address space. The corresponding resource is `RLIMIT_AS`.
  case addressSpace
  /// Bytes of all files in the session directory.
  case sessionBytes
  /// Files and directories in the session directory.
  case sessionFiles
  /// Bytes of standard output and standard error that the host keeps.
  case outputBytes
  /// Bytes of memory of all processes together.
  case memory
  /// Bytes that stay free on the file system of the session directory.
  case freeReserve
}

extension LimitName {
  /// The unit of a limit.
  package enum Unit: Sendable, Hashable {
    /// A number without a unit.
    case count
    /// Bytes, written as `"64MiB"` or as a number.
    case bytes
    /// Seconds, written as `"10s"`, `"5m"`, `"2h"` or as a number.
    case seconds
  }

  /// The index of the limit in ``allCases``.
  fileprivate var index: Int {
    switch self {
    case .processes: 0
    case .descriptors: 1
    case .fileSize: 2
    case .cpuTime: 3
    case .wallClock: 4
    case .addressSpace: 5
    case .sessionBytes: 6
    case .sessionFiles: 7
    case .outputBytes: 8
    case .memory: 9
    case .freeReserve: 10
    }
  }

  /// The unit of the limit.
  package var unit: Unit {
    switch self {
    case .processes, .descriptors, .sessionFiles: .count
    case .cpuTime, .wallClock: .seconds
    case .fileSize, .addressSpace, .sessionBytes, .outputBytes, .memory, .freeReserve: .bytes
    }
  }

  /// The smallest and the largest value that a policy can set.
  ///
  /// The lower bounds are what a program needs to start. The upper bounds limit what one session can use.
  package var range: ClosedRange<Int> {
    switch self {
    case .processes: 1...65536
    case .descriptors: 16...65536
    case .fileSize: 0...(1 << 44)
    case .cpuTime: 1...604_800
    case .wallClock: 1...604_800
    case .addressSpace: (16 << 20)...(1 << 47)
    case .sessionBytes: 0...(1 << 44)
    case .sessionFiles: 0...10_000_000
    case .outputBytes: 0...(1 << 32)
    case .memory: (1 << 20)...(1 << 44)
    case .freeReserve: 0...(1 << 44)
    }
  }

  /// The direction in which a limit restricts a session.
  package enum Bound: Sendable, Hashable {
    /// An upper bound: a larger value lets the session use more.
    case maximum
    /// A lower bound on what stays free: a smaller value lets the session use more.
    case minimum

    /// Whether a value lets a session use more than another value.
    package func isWeaker(_ value: Int, than other: Int) -> Bool {
      self == .maximum ? value > other : value < other
    }
  }

  /// The direction in which the limit restricts a session.
  package var bound: Bound { self == .freeReserve ? .minimum : .maximum }

  /// The value if no policy of the chain sets the limit.
  package var defaultValue: Int {
    switch self {
    case .processes: 256
    case .descriptors: 1024
    case .fileSize: 4 << 30
    case .cpuTime: 6 * 3600
    case .wallClock: 6 * 3600
    case .addressSpace: 8 << 30
    case .sessionBytes: 8 << 30
    case .sessionFiles: 10_000
    case .outputBytes: 16 << 20
    case .memory: 2 << 30
    case .freeReserve: 0
    }
  }
}

/// The amounts of all resources that a session may use.
package struct PolicyLimits: Sendable, Hashable {
  /// The limits that a policy sets, with their positions; all others have their default value.
  package private(set) var explicit: [LimitName: Sourced<Int>] = [:]
  /// All values, by ``LimitName/place``. They are stored because every launch reads most of them.
  private var values = Self.standard

  private static let standard = LimitName.allCases.map(\.defaultValue)

  /// Creates limits that all have their default value.
  package init() {}

  /// The value of a limit, in its unit.
  package subscript(_ name: LimitName) -> Int { values[name.index] }

  /// Sets a limit.
  package mutating func set(_ name: LimitName, _ value: Sourced<Int>) {
    explicit[name] = value
    values[name.index] = value.value
  }

  /// Processes and threads of the session.
  package var processes: Int { self[.processes] }
  /// Open descriptors of one process.
  package var descriptors: Int { self[.descriptors] }
  /// Bytes of one file.
  package var fileSize: Int { self[.fileSize] }
  /// Seconds of processor time of one process.
  package var cpuTime: Int { self[.cpuTime] }
  /// Seconds from the launch to the end of the session.
  package var wallClock: Int { self[.wallClock] }
  /// Bytes of one process's address space.
  package var addressSpace: Int { self[.addressSpace] }
  /// Bytes of all files in the session directory.
  package var sessionBytes: Int { self[.sessionBytes] }
  /// Files and directories in the session directory.
  package var sessionFiles: Int { self[.sessionFiles] }
  /// Bytes of standard output and standard error that the host keeps.
  package var outputBytes: Int { self[.outputBytes] }
  /// Bytes of memory of all processes together.
  package var memory: Int { self[.memory] }
  /// Bytes that stay free on the file system of the session directory.
  package var freeReserve: Int { self[.freeReserve] }
}
