// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import LinuxPrimitives

/// The descriptors that join an extension to its host.
package struct HostChannel: ~Copyable {
  /// Where the host's messages come from.
  package var hostIn: Descriptor
  /// Where messages to the host go.
  package var hostOut: Descriptor
  /// Where frames come from, if the session has a camera.
  package var camera: CameraChannel?
  /// Where the viewfinder goes, if the host shows one.
  package var preview: PreviewChannel?
  /// Where sound comes from, if the session has a microphone.
  package var sound: SoundChannel?

  /// Joins descriptors; for tests, and for ``inherited()``.
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

/// The descriptors through which frames come.
package struct CameraChannel: ~Copyable {
  /// The frame ring.
  package var frames: Descriptor
  /// Counts published frames.
  package var frameEvent: Descriptor
  /// Counts frames that the extension has finished with.
  package var frameDone: Descriptor

  /// Joins descriptors.
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

/// The descriptors through which sound comes.
package struct SoundChannel: ~Copyable {
  /// The sound ring.
  package var sound: Descriptor
  /// Counts published blocks.
  package var soundEvent: Descriptor
  /// Counts blocks that the extension has finished with.
  package var soundDone: Descriptor

  /// Joins descriptors.
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

/// The descriptors through which the viewfinder goes.
package struct PreviewChannel: ~Copyable {
  /// The ring, which this side writes.
  package var frames: Descriptor
  /// Counts frames that were shown.
  package var frameEvent: Descriptor

  /// Joins descriptors.
  package init(frames: consuming Descriptor, frameEvent: consuming Descriptor) {
    self.frames = frames
    self.frameEvent = frameEvent
  }
}

extension HostChannel {
  /// Takes over what the host has passed, as the environment describes it (sd_listen_fds(3)).
  package static func inherited() throws(ExtensionFailure) -> HostChannel {
    let numbers = try passedNumbers(
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

  /// The numbers of the descriptors that were passed, by name; names of later versions are skipped.
  package static func passedNumbers(
    count: String?,
    processID: String?,
    names: String?,
    own: Int32
  ) throws(ExtensionFailure) -> PassedNumbers {
    guard let count, let processID, let names else { throw .notLaunched(.noDescriptors) }
    guard Int32(processID) == own else {
      throw .notLaunched(.otherProcess(meant: processID, own: own))
    }
    let numbers = PassedNumbers(names)
    guard Int(count) == numbers.count else {
      throw .notLaunched(.countMismatch(count: count, names: names))
    }
    return numbers
  }
}
