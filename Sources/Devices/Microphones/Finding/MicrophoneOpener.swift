// SPDX-License-Identifier: Apache-2.0

/// Makes a source of sound of a device.
package enum MicrophoneOpener {
  /// Opens a device by ALSA's name for it and takes it for this process; it does not listen yet.
  package static func open(_ name: String) throws(SoundSourceError) -> sending any SoundSource {
    let full = MicrophoneSpecification.devicePrefix + name
    let device: ALSADevice
    do throws(MicrophoneFault) { device = try ALSADevice(name) } catch {
      throw SoundSourceError(full, .microphone(error))
    }
    // Nobody else has it: the device was opened here.
    nonisolated(unsafe) let source = try MicrophoneSource(device, name: full)
    return source
  }
}
