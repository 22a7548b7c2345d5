// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
package import ExtensionProtocol
package import LinuxPrimitives

/// An error of a sound source, with the name of the source and the reason.
package struct SoundSourceError: RingFault {
  /// The name of the source in messages.
  package let source: String
  package let reason: Reason

  /// Creates an error from its parts.
  package init(_ source: String, _ reason: Reason) {
    self.source = source
    self.reason = reason
  }

  /// Creates an error from a system call that failed for a source.
  package init(_ source: String, system: SystemCallError) { self.init(source, .system(system)) }

  /// Whether the host stopped the source.
  package var isStop: Bool { reason == .stopped }

  /// Whether the source is a microphone that another process is using.
  package var isBusy: Bool {
    if case .microphone(.microphoneBusy) = reason { true } else { false }
  }

  /// The reasons why a source can fail.
  package enum Reason: Equatable, Sendable {
    /// A system call failed.
    case system(SystemCallError)
    /// The host stopped the source while it was waiting.
    case stopped
    /// The file is empty.
    case empty
    /// The path is that of a directory, a pipe or a device.
    case notAFile
    /// The file is not a supported WAV file.
    case wave(WaveFault)
    /// The specification of a tone is invalid.
    case tone
    /// The sample rate or the number of channels does not fit into a ring.
    case layout(SoundRingLayoutError)
    /// A microphone device failed.
    case microphone(MicrophoneFault)
  }
}

extension SoundSourceError: CustomStringConvertible {
  /// The name of the source and the reason, with a fix.
  package var description: String { "\(source.isEmpty ? "an empty name" : source): \(reason)" }
}

extension SoundSourceError.Reason: CustomStringConvertible {
  /// The reason without the source, with a fix where one is known.
  package var description: String {
    switch self {
    case .system(let error) where error.errno == .noSuchFile:
      "\(error); name an existing WAV file, tone, or a device as alsa:NAME"
    case .system(let error): "\(error)"
    case .stopped: "the host stopped the source before it delivered sound"
    case .empty: "the file is empty; name a WAV file"
    case .notAFile: "this is not a regular file; name a WAV file, tone, or a device as alsa:NAME"
    case .wave(let fault): "\(fault)"
    case .tone:
      "invalid tone; use tone, tone:48000 or tone:48000x2, with \(SoundRingLayout.sampleRates.lowerBound) to "
        + "\(SoundRingLayout.sampleRates.upperBound) samples per second and at most "
        + "\(SoundRingLayout.channelCounts.upperBound) channels"
    case .layout(let error): "\(error)"
    case .microphone(let fault): "\(fault)"
    }
  }
}
