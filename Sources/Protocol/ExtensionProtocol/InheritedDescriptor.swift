// SPDX-License-Identifier: Apache-2.0

/// The descriptors that an extension finds open, named as `LISTEN_FDNAMES` names them (sd_listen_fds(3)).
package enum InheritedDescriptor: String, CaseIterable, Sendable {
  /// A pipe: the extension reads the host's messages here.
  case hostIn = "host-in"
  /// A pipe: the extension writes its messages here.
  case hostOut = "host-out"
  /// A sealed memory file, the frame ring; only with a camera.
  case frames = "frames"
  /// An eventfd to which the host adds 1 for each frame; only with a camera.
  case frameEvent = "frame-event"
  /// An eventfd to which the extension adds the frames it has finished with; only with a camera.
  case frameDone = "frame-done"
  /// A sealed memory file, the ring of the viewfinder that the extension draws; only with a camera.
  case preview = "preview"
  /// An eventfd to which the extension adds 1 for each frame of the viewfinder; only with a camera.
  case previewEvent = "preview-event"
  /// A sealed memory file, the sound ring; only with a microphone.
  case sound = "sound"
  /// An eventfd to which the host adds 1 for each block of sound; only with a microphone.
  case soundEvent = "sound-event"
  /// An eventfd to which the extension adds the blocks it has finished with; only with a microphone.
  case soundDone = "sound-done"

  /// The number of the first one; the others follow in the order of their names.
  package static let firstNumber: Int32 = 3
}

/// The environment variables through which descriptors are passed (sd_listen_fds(3)).
package enum DescriptorVariable: String, CaseIterable, Sendable {
  /// How many there are.
  case count = "LISTEN_FDS"
  /// The process that they are for, as it sees its own number.
  case processID = "LISTEN_PID"
  /// Their names, separated by colons.
  case names = "LISTEN_FDNAMES"
}
