// SPDX-License-Identifier: Apache-2.0

/// The descriptors that an extension inherits. The raw values are their names in `LISTEN_FDNAMES`
/// (sd_listen_fds(3)).
package enum InheritedDescriptor: String, CaseIterable, Sendable {
  /// A pipe from which the extension reads the host's messages.
  case hostIn = "host-in"
  /// A pipe to which the extension writes its messages.
  case hostOut = "host-out"
  /// A sealed memory file with the frame ring; only with a camera.
  case frames = "frames"
  /// An eventfd to which the host adds 1 for each frame; only with a camera.
  case frameEvent = "frame-event"
  /// An eventfd to which the extension adds the number of frames that it has finished using; only with a
  /// camera.
  case frameDone = "frame-done"
  /// A sealed memory file with the ring of the viewfinder that the extension draws; only with a camera.
  case preview = "preview"
  /// An eventfd to which the extension adds 1 for each frame of the viewfinder; only with a camera.
  case previewEvent = "preview-event"
  /// A sealed memory file with the sound ring; only with a microphone.
  case sound = "sound"
  /// An eventfd to which the host adds 1 for each block of sound; only with a microphone.
  case soundEvent = "sound-event"
  /// An eventfd to which the extension adds the number of blocks that it has finished using; only with a
  /// microphone.
  case soundDone = "sound-done"

  /// The number of the first descriptor; the others follow in the order of their names.
  package static let firstNumber: Int32 = 3
}

/// The environment variables for passing descriptors (sd_listen_fds(3)).
package enum DescriptorVariable: String, CaseIterable, Sendable {
  /// The number of descriptors.
  case count = "LISTEN_FDS"
  /// The process ID of the receiver in its PID namespace.
  case processID = "LISTEN_PID"
  /// The names of the descriptors, separated by colons.
  case names = "LISTEN_FDNAMES"
}
