// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import LinuxPrimitives

/// The descriptors that connect an extension to its host.
package struct HostChannel: ~Copyable {
  /// The pipe for messages from the host.
  package var hostIn: Descriptor
  /// The pipe for messages to the host.
  package var hostOut: Descriptor
  /// The frame channel, or `nil` if the session has no camera.
  package var camera: CameraChannel?
  /// The viewfinder channel, or `nil` if the host shows no viewfinder.
  package var preview: PreviewChannel?
  /// The sound channel, or `nil` if the session has no microphone.
  package var sound: SoundChannel?

  /// Creates a channel from its descriptors.
  package init(
    hostIn: consuming Descriptor,
    hostOut: consuming Descriptor,
    camera: consuming CameraChannel?,
    preview: consuming PreviewChannel? = nil,
    sound: consuming SoundChannel? = nil
  ) {
    self.hostIn = hostIn
    self.hostOut = hostOut
    self.camera = camera
    self.preview = preview
    self.sound = sound
  }
}

/// The descriptors of the frame ring.
package struct CameraChannel: ~Copyable {
  /// The memory file of the frame ring.
  package var frames: Descriptor
  /// The eventfd that counts published frames.
  package var frameEvent: Descriptor
  /// The eventfd that counts frames that the extension has finished with.
  package var frameDone: Descriptor

  /// Creates a channel from its descriptors.
  package init(
    frames: consuming Descriptor,
    frameEvent: consuming Descriptor,
    frameDone: consuming Descriptor
  ) {
    self.frames = frames
    self.frameEvent = frameEvent
    self.frameDone = frameDone
  }
}

/// The descriptors of the sound ring.
package struct SoundChannel: ~Copyable {
  /// The memory file of the sound ring.
  package var sound: Descriptor
  /// The eventfd that counts published blocks.
  package var soundEvent: Descriptor
  /// The eventfd that counts blocks that the extension has finished with.
  package var soundDone: Descriptor

  /// Creates a channel from its descriptors.
  package init(
    sound: consuming Descriptor,
    soundEvent: consuming Descriptor,
    soundDone: consuming Descriptor
  ) {
    self.sound = sound
    self.soundEvent = soundEvent
    self.soundDone = soundDone
  }
}

/// The descriptors of the viewfinder's ring.
package struct PreviewChannel: ~Copyable {
  /// The memory file of the ring, which the extension writes.
  package var frames: Descriptor
  /// The eventfd that counts published frames.
  package var frameEvent: Descriptor

  /// Creates a channel from its descriptors.
  package init(frames: consuming Descriptor, frameEvent: consuming Descriptor) {
    self.frames = frames
    self.frameEvent = frameEvent
  }
}

extension HostChannel {
  /// Takes ownership of the descriptors that the host has passed, as the environment describes them
  /// (sd_listen_fds(3)).
  ///
  /// - Throws: ``ExtensionFailure/notLaunched(_:)`` if the environment or a required descriptor is missing.
  package static func inherited() throws(ExtensionFailure) -> HostChannel {
    let numbers = try inheritedDescriptorTable(
      count: CurrentProcess.environment(DescriptorVariable.count.rawValue),
      processID: CurrentProcess.environment(DescriptorVariable.processID.rawValue),
      names: CurrentProcess.environment(DescriptorVariable.names.rawValue),
      own: CurrentProcess.processID
    )
    func take(_ name: InheritedDescriptor) throws(ExtensionFailure) -> Descriptor {
      guard let number = numbers[name] else {
        throw .notLaunched(.missingDescriptor(name.rawValue))
      }
      do { return try Descriptor.inherited(number) } catch {
        throw .notLaunched(.closedDescriptor(name.rawValue, number: number))
      }
    }
    let hostIn = try take(.hostIn)
    let hostOut = try take(.hostOut)
    var channel = HostChannel(hostIn: hostIn, hostOut: hostOut, camera: nil)
    if numbers[.sound] != nil {
      channel.sound = SoundChannel(
        sound: try take(.sound),
        soundEvent: try take(.soundEvent),
        soundDone: try take(.soundDone)
      )
    }
    guard numbers[.frames] != nil else { return channel }
    channel.camera = CameraChannel(
      frames: try take(.frames),
      frameEvent: try take(.frameEvent),
      frameDone: try take(.frameDone)
    )
    guard numbers[.preview] != nil else { return channel }
    channel.preview = PreviewChannel(frames: try take(.preview), frameEvent: try take(.previewEvent))
    return channel
  }

  /// Returns the numbers of the inherited descriptors by name; unknown names of later versions are skipped.
  ///
  /// - Parameters:
  ///   - count: The value of `LISTEN_FDS`.
  ///   - processID: The value of `LISTEN_PID`.
  ///   - names: The value of `LISTEN_FDNAMES`.
  ///   - own: The ID of this process.
  /// - Returns: The numbers by name.
  /// - Throws: ``ExtensionFailure/notLaunched(_:)`` if the values do not match each other or this process.
  package static func inheritedDescriptorTable(
    count: String?,
    processID: String?,
    names: String?,
    own: Int32
  ) throws(ExtensionFailure) -> InheritedDescriptorTable {
    guard let count, let processID, let names else { throw .notLaunched(.noDescriptors) }
    guard Int32(processID) == own else {
      throw .notLaunched(.otherProcess(meant: processID, own: own))
    }
    let numbers = InheritedDescriptorTable(names)
    guard Int(count) == numbers.count else {
      throw .notLaunched(.countMismatch(count: count, names: names))
    }
    return numbers
  }
}
