// SPDX-License-Identifier: Apache-2.0

internal import Microphones

/// A microphone of the machine: a capture device in the configuration of ALSA.
public struct MicrophoneDevice: Sendable, Hashable {
  /// The microphone for ``LaunchOptions/microphone``.
  public let selection: MicrophoneSelection
  /// The description for users, which ALSA provides.
  public let description: String

  /// Creates a description of a listed microphone.
  init(_ microphone: ListedMicrophone) {
    selection = MicrophoneSelection(microphone.name)
    description = microphone.description
  }
}
