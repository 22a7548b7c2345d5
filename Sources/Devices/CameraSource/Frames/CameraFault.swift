// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// What can be wrong with a camera that is a device.
package enum CameraFault: Error, Hashable, Sendable {
  /// There is nothing under its name.
  case noSuchDevice
  /// It is something else than a device that gives frames; `name` is what it calls itself, empty if it does not.
  case notACamera(name: String)
  /// This user may not open it.
  case refused(SystemCallError)
  /// Somebody else has it.
  case cameraBusy(holders: [CameraHolder])
  /// None of its formats can be converted; those that it has.
  case noKnownFormat(offered: [String])
  /// It has not the format that was named, or that can't be converted.
  case noSuchFormat(wanted: String, offered: [String])
  /// What it is asked for is not written as a size and a rate.
  case specification
  /// It is gone: unplugged, or its driver is.
  case unplugged
  /// A request failed.
  case failed(SystemCallError)
  /// No frame has come for so many seconds, even when it was begun again.
  case silent(seconds: Int)
  /// Its frames have another size than before, which the session's memory was not made for.
  case pictureChanged(from: String, to: String)
  /// So many frames in a row could not be converted; the library's words for the last.
  case damaged(frames: Int, message: String)
  /// What converts frames is not there.
  case noConverter
  /// PipeWire, or what it says.
  case pipeWire(PipeWireFault)
}

/// A process that has a camera open.
package struct CameraHolder: Hashable, Sendable, CustomStringConvertible {
  /// The process's number.
  package var process: Int32
  /// The name of its program.
  package var program: String

  /// Names a process.
  package init(process: Int32, program: String) {
    self.process = process
    self.program = program
  }

  /// `cheese (4711)`.
  package var description: String { "\(program) (\(process))" }
}

extension CameraFault: CustomStringConvertible {
  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .noSuchDevice: "there is no such device; 'darkroom camera list' shows the cameras that there are"
    case .notACamera(let name):
      "\(name.isEmpty ? "this" : name) gives no frames; 'darkroom camera list' shows the devices that do"
    case .refused(let error):
      "this user may not open it (\(error.errno)): run 'sudo usermod -aG video USER' and log in again, or have a udev "
        + "rule give the person at the machine this one device (TAG+=\"uaccess\")"
    case .cameraBusy(let holders): Self.busy(holders)
    case .noKnownFormat(let offered):
      "none of its formats can be converted (\(offered.joined(separator: ", "))); name another camera"
    case .noSuchFormat(let wanted, let offered):
      "it has no format \(wanted) that can be converted; it has \(offered.joined(separator: ", "))"
    case .specification:
      "a camera is written DEVICE, DEVICE:1280x720 or DEVICE:1280x720@30, with a rate of at most 1000 frames a second, and "
        + "with ,FORMAT behind it if it is to be that of 'darkroom camera show', "
        + "where DEVICE can also be pipewire, pipewire:NODE, pipewire:fd=N or pipewire:fd=N/NODE"
    case .unplugged:
      "the camera is gone: it was unplugged, or its driver was; plug it in and begin a new session"
    case .failed(let error): "the camera has failed: \(error); unplug it and plug it in again"
    case .silent(let seconds):
      "the camera has given no frame for \(seconds) seconds, not even when it was started again; unplug it and plug it in "
        + "again, or see 'dmesg'"
    case .pictureChanged(let old, let new):
      "its frames are \(new) now and no longer \(old), which needs a new session"
    case .damaged(let frames, let message):
      "\(frames) frames in a row were damaged (\(message)); try another cable or a smaller size"
    case .noConverter:
      "libv4lconvert.so.0 cannot be loaded, which converts its frames; install libv4lconvert0"
    case .pipeWire(let fault): "\(fault)"
    }
  }

  /// A sentence for a camera that somebody has.
  private static func busy(_ holders: [CameraHolder]) -> String {
    guard !holders.isEmpty else {
      return
        "another process has the camera, which this user can't see: 'sudo fuser -v /dev/video*' names it; end it"
    }
    let names = holders.map(\.description).joined(separator: ", ")
    return "the camera is in use by \(names); end it, or name another camera"
  }
}
