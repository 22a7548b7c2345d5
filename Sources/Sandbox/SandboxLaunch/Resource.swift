// SPDX-License-Identifier: Apache-2.0

/// A resource with a limit (getrlimit(2)). The numbers are the kernel's on x86-64 and 64-bit ARM.
package enum Resource: Int32, Sendable, CaseIterable {
  /// CPU time in seconds. The corresponding resource is `RLIMIT_CPU`.
  case processorTime = 0
  /// The size of a file in bytes. The corresponding resource is `RLIMIT_FSIZE`.
  case fileSize = 1
  /// The size of a core file in bytes. The corresponding resource is `RLIMIT_CORE`.
  case coreSize = 4
  /// Processes and threads of the session. The corresponding resource is `RLIMIT_NPROC`.
  case processes = 6
  /// The number of descriptors. The corresponding resource is `RLIMIT_NOFILE`.
  case descriptors = 7
  /// Locked memory in bytes. The corresponding resource is `RLIMIT_MEMLOCK`.
  case lockedMemory = 8
  /// Address space in bytes. The corresponding resource is `RLIMIT_AS`.
  case addressSpace = 9
  /// Queued signals. The corresponding resource is `RLIMIT_SIGPENDING`.
  case pendingSignals = 11
  /// Bytes in POSIX message queues. The corresponding resource is `RLIMIT_MSGQUEUE`.
  case messageQueues = 12
  /// The maximum nice value, as the kernel encodes it. The corresponding resource is `RLIMIT_NICE`.
  case nice = 13
  /// The highest real-time priority. The corresponding resource is `RLIMIT_RTPRIO`.
  case realTimePriority = 14
}
