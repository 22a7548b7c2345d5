// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
package import ExtensionProtocol
package import LinuxPrimitives

/// Why a source gives no sound: which source, and why.
package struct SoundSourceError: RingFault {
  /// What people call the source.
  package let source: String
  /// Why.
  package let reason: Reason

  /// Describes a failure.
  package init(_ source: String, _ reason: Reason) {
    self.source = source
    self.reason = reason
  }

  /// A system call has failed for this source.
  package init(_ source: String, system: SystemCallError) { self.init(source, .system(system)) }

  /// Whether the host asked for the end.
  package var isStop: Bool { reason == .stopped }

  /// Whether the source is a microphone that somebody else has.
  package var isBusy: Bool {
    if case .microphone(.microphoneBusy) = reason { true } else { false }
  }

  /// The ways in which a source can fail.
  package enum Reason: Equatable, Sendable {
    /// A system call failed.
    case system(SystemCallError)
    /// The host asked for the end while the source was waiting.
    case stopped
    /// There is not one byte.
    case empty
    /// It is a directory, a pipe or a device.
    case notAFile
    /// A file is not as WAV has it.
    case wave(WaveFault)
    /// What was typed for a tone is none.
    case tone
    /// The samples cannot be in a ring.
    case layout(SoundRingLayoutError)
    /// A microphone that is a device gives none.
    case microphone(MicrophoneFault)
  }
}

extension SoundSourceError: CustomStringConvertible {
  /// A sentence: the source, what is wrong, how to mend it.
  package var description: String { "\(source.isEmpty ? "an empty name" : source): \(reason)" }
}

extension SoundSourceError.Reason: CustomStringConvertible {
  /// A sentence without the source.
  package var description: String {
    switch self {
    case .system(let error) where error.errno == .noSuchFile:
      "\(error); give a WAV file that is there, tone, or a device as alsa:NAME"
    case .system(let error): "\(error)"
    case .stopped: "reading was ended by the host before any sound came"
    case .empty: "there is not one byte; give a WAV file"
    case .notAFile: "this is no file; give a WAV file, tone, or a device as alsa:NAME"
    case .wave(let fault): "\(fault)"
    case .tone:
      "a tone is written tone, tone:48000 or tone:48000x2, with \(SoundRingLayout.sampleRates.lowerBound) to "
        + "\(SoundRingLayout.sampleRates.upperBound) samples a second and at most "
        + "\(SoundRingLayout.channelCounts.upperBound) channels"
    case .layout(let error): "\(error)"
    case .microphone(let fault): "\(fault)"
    }
  }
}
