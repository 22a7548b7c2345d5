// SPDX-License-Identifier: Apache-2.0

/// Opens microphones as sound sources.
package enum MicrophoneOpener {
  /// Opens a device by its ALSA name, for the exclusive use of this process; recording does not start yet.
  package static func open(_ name: String) throws(SoundSourceError) -> sending any SoundSource {
    let full = MicrophoneSpecification.devicePrefix + name
    let device: ALSADevice
    do throws(MicrophoneFault) { device = try ALSADevice(name) } catch {
      throw SoundSourceError(full, .microphone(error))
    }
    // No other code has a reference: the device was opened in this method.
    nonisolated(unsafe) let source = try MicrophoneSource(device, name: full)
    return source
  }
}
