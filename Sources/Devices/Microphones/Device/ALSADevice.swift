// SPDX-License-Identifier: Apache-2.0

internal import CALSA
package import CameraSource
internal import LinuxPrimitives

/// A capture device of ALSA.
package final class ALSADevice: SoundDevice {
  /// The requested format; the nearest supported one is used.
  private static let wanted = darkroom_alsa_form(rate: 48000, channels: 2)

  package let sampleRate: Int
  package let channels: Int
  private var library: ALSALibrary
  /// The library's object, created in `init` and freed in `deinit`.
  private let pcm: OpaquePointer

  /// Opens a device and sets its format; recording does not start yet.
  package init(_ name: String) throws(MicrophoneFault) {
    var library = try ALSALibrary()
    var opened: OpaquePointer?
    // Without this flag, opening a device that another process uses would block.
    let result = library.functions.pcm_open(&opened, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
    guard result >= 0, let pcm = opened else { throw Self.fault(opening: Int(result), library) }
    var form = Self.wanted
    let settled = darkroom_alsa_set(&library.functions, pcm, &form)
    guard settled >= 0 else {
      _ = library.functions.pcm_close(pcm)
      throw -settled == EBUSY ? .microphoneBusy(holders: SoundDeviceHolders.find()) : .noSupportedFormat
    }
    self.library = library
    self.pcm = pcm
    (sampleRate, channels) = (Int(form.rate), Int(form.channels))
  }

  deinit { _ = library.functions.pcm_close(pcm) }

  /// Returns the failure for a failed open of a device.
  private static func fault(opening error: Int, _ library: ALSALibrary) -> MicrophoneFault {
    switch Int32(-error) {
    case ENOENT, ENODEV, ENXIO, ENOTDIR: .noSuchDevice(library.message(error))
    case EACCES, EPERM: .permissionDenied
    case EBUSY, EAGAIN: .microphoneBusy(holders: SoundDeviceHolders.find())
    default: .failed("snd_pcm_open", library.message(error))
    }
  }

  package func start() throws(MicrophoneFault) {
    do throws(SoundDeviceError) {
      try check("snd_pcm_prepare", Int(library.functions.pcm_prepare(pcm)))
      try check("snd_pcm_start", Int(library.functions.pcm_start(pcm)))
    } catch {
      switch error {
      case .fault(let fault): throw fault
      case .overrun: throw .failed("snd_pcm_start", library.message(-Int(EPIPE)))
      }
    }
  }

  package func stop() { _ = library.functions.pcm_drop(pcm) }

  package func oldestFrameTime() throws(SoundDeviceError) -> UInt64? {
    try check("snd_pcm_avail_update", Int(library.functions.pcm_avail_update(pcm)))
    var waiting: snd_pcm_uframes_t = 0
    var time = timespec()
    let result = Int(library.functions.pcm_htimestamp(pcm, &waiting, &time))
    let now = MonotonicClock.now
    guard result >= 0 else {
      try check("snd_pcm_htimestamp", result)
      return nil
    }
    guard waiting > 0 else { return nil }
    let said = UInt64(max(0, time.tv_sec)) * 1_000_000_000 + UInt64(max(0, time.tv_nsec))
    // Plugins without hardware report no timestamp, or that of another clock.
    let heard = said <= now && now - said < 1_000_000_000 ? said : now
    let length = UInt64(waiting) * 1_000_000_000 / UInt64(sampleRate)
    return heard > length ? heard - length : 0
  }

  package func read(
    into samples: UnsafeMutableRawBufferPointer,
    frames: Int
  ) throws(SoundDeviceError) -> Int {
    guard let place = samples.baseAddress else { return 0 }
    let count = library.functions.pcm_readi(pcm, place, snd_pcm_uframes_t(frames))
    if count == -Int(EAGAIN) { return 0 }
    try check("snd_pcm_readi", count)
    return count
  }

  package func wait(milliseconds: Int, stop: StopSignal) -> SoundWaitResult {
    waitResult(darkroom_alsa_wait(&library.functions, pcm, stop.descriptor.rawValue, Int32(milliseconds)))
  }

  package func pause(milliseconds: Int, stop: StopSignal) -> Bool {
    darkroom_alsa_wait(&library.functions, nil, stop.descriptor.rawValue, Int32(milliseconds)) != .stopped
  }

  private func waitResult(_ found: darkroom_alsa_sign) -> SoundWaitResult {
    switch found {
    case .ready: .ready
    case .timeUp: .timeUp
    case .stopped: .stopped
    }
  }

  /// Throws the error of a call with a negative result.
  private func check(_ call: String, _ result: Int) throws(SoundDeviceError) {
    guard result < 0 else { return }
    switch Int32(-result) {
    case EPIPE, ESTRPIPE: throw .overrun
    case ENODEV, ENXIO, EBADFD: throw .fault(.unplugged)
    default: throw .fault(.failed(call, library.message(result)))
    }
  }
}
