// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives

/// Results of a successful launch that its plan does not determine.
package struct LaunchFindings: Sendable {
  private let timestamps: [UInt64]
  /// The process ID of the extension in the host's PID namespace if its program was stopped before its first
  /// instruction (``LaunchPlan/Start/stopped``), or `nil` if it runs.
  package let stopped: Int32?
  /// The error of the first limit of the user namespace that could not be set, or `nil`.
  package let namespaceLimitsFault: Errno?
  /// The error because of which a shown directory shares its locks with the host, or `nil`.
  package let layerFault: Errno?
  /// The error because of which a restricted session keeps the host's session keyring, or `nil`.
  package let keyringFault: Errno?

  /// Reads the results of the C code.
  init(_ launched: darkroom_launched, _ raw: darkroom_plan) {
    timestamps = LaunchTiming.timestamps(raw.stamps)
    stopped = launched.stopped > 0 ? launched.stopped : nil
    namespaceLimitsFault = raw.setting_error == 0 ? nil : Errno(rawValue: raw.setting_error)
    layerFault = raw.layer_error == 0 ? nil : Errno(rawValue: raw.layer_error)
    keyringFault = raw.keyring_error == 0 ? nil : Errno(rawValue: raw.keyring_error)
  }

  /// The durations of the parts of the launch.
  package var timings: [LaunchTiming] { LaunchTiming.read(timestamps) }
  /// The total duration of the launch steps, in nanoseconds.
  package var totalDuration: UInt64 { LaunchTiming.whole(timestamps) }
}
