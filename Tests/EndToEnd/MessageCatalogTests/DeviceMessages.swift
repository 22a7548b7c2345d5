// SPDX-License-Identifier: Apache-2.0

@testable import CameraSource
@testable import ExtensionProtocol
@testable import KeyInput
@testable import LinuxPrimitives
@testable import Microphones

/// The types of the floor Devices that produce messages.
enum DeviceMessages {
  static var types: [any MessageSamples.Type] {
    [
      FrameSourceError.Reason.self, PatternFault.self, Y4MFault.self, CameraFault.self, PipeWireFault.self,
      StillImageEncodingError.self, SoundSourceError.Reason.self, MicrophoneFault.self, WaveFault.self,
      KeyInputError.self,
    ]
  }

  static let holders = [
    CameraHolder(process: 4711, program: "cheese"), CameraHolder(process: 4712, program: "zoom"),
  ]
  static let wideFrame = FrameRingLayoutError.field(name: "width", value: 9000, expected: "1 to 8192")
  static let busy = SystemCallError("VIDIOC_STREAMON", path: "/dev/video0", errno: .busy)
}

extension FrameSourceError.Reason: CaseSamples {
  static var catalogedErrors: [Any.Type] { [FrameSourceError.self] }

  static var catalogSamples: [(String, Self)] {
    [
      ("system", .system(SystemMessages.notFound)), ("system", .system(SystemMessages.denied)),
      ("system", .system(SystemCallError("read", path: "/home/ada", errno: .isADirectory))),
      ("stopped", .stopped),
      ("empty", .empty), ("unknownFormat", .unknownFormat(firstBytes: [0x47, 0x49, 0x46, 0x38])),
      ("fileTooLarge", .fileTooLarge(limit: 1 << 26)), ("size", .size(DeviceMessages.wideFrame)),
      ("undecodable", .undecodable(format: .jpeg, message: "Premature end of JPEG file")),
      ("libraryUnavailable", .libraryUnavailable("libpng16.so.16 cannot be loaded")),
      ("unsupportedColor", .unsupportedColor(format: .jpeg, "CMYK")), ("pattern", .pattern(.syntax)),
      ("stream", .stream(.wrongMagic, byte: 0)), ("camera", .camera(.unplugged)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .system, .stopped, .empty, .unknownFormat, .fileTooLarge, .size, .undecodable, .libraryUnavailable,
      .unsupportedColor, .pattern, .stream, .camera:
      true
    }
  }

  var catalogText: String { FrameSourceError("scene.jpg", self).description }
}

extension PatternFault: CaseSamples {
  static var catalogSamples: [(String, PatternFault)] {
    [("syntax", .syntax), ("rate", .rate), ("tooSmall", .tooSmall(minimumWidth: 64, minimumHeight: 48))]
  }

  var isInCatalog: Bool {
    switch self {
    case .syntax, .rate, .tooSmall: true
    }
  }
}

extension Y4MFault: CaseSamples {
  static var catalogSamples: [(String, Y4MFault)] {
    [
      ("lineTooLong", .lineTooLong(limit: 1024)), ("headerTruncated", .headerTruncated),
      ("frameTruncated", .frameTruncated(frame: 2, bytes: 100, needed: 460_800)), ("wrongMagic", .wrongMagic),
      ("frameExpected", .frameExpected(frame: 2)), ("missingTag", .missingTag("W")), ("tag", .tag("W0")),
      ("rate", .rate("F0:0")), ("pixelFormat", .pixelFormat("C444")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .lineTooLong, .headerTruncated, .frameTruncated, .wrongMagic, .frameExpected, .missingTag, .tag,
      .rate,
      .pixelFormat:
      true
    }
  }
}

extension CameraFault: CaseSamples {
  static var catalogSamples: [(String, CameraFault)] {
    [
      ("noSuchDevice", .noSuchDevice), ("notACamera", .notACamera(name: "HDMI capture")),
      ("permissionDenied", .permissionDenied(SystemMessages.denied)),
      ("cameraBusy", .cameraBusy(holders: [])),
      ("cameraBusy", .cameraBusy(holders: DeviceMessages.holders)),
      ("noSupportedFormat", .noSupportedFormat(offered: ["H264", "HEVC"])),
      ("noSuchFormat", .noSuchFormat(wanted: "4000x3000", offered: ["640x480 at 30", "1280x720 at 30"])),
      ("invalidSpecification", .invalidSpecification), ("unplugged", .unplugged),
      ("failed", .failed(DeviceMessages.busy)),
      ("noFrames", .noFrames(seconds: 5)), ("formatChanged", .formatChanged(from: "640x480", to: "1280x720")),
      ("corruptFrames", .corruptFrames(frames: 30, message: "Premature end of JPEG file")),
      ("converterUnavailable", .converterUnavailable), ("pipeWire", .pipeWire(.noCamera)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .noSuchDevice, .notACamera, .permissionDenied, .cameraBusy, .noSupportedFormat, .noSuchFormat,
      .invalidSpecification, .unplugged, .failed, .noFrames, .formatChanged, .corruptFrames,
      .converterUnavailable,
      .pipeWire:
      true
    }
  }
}

extension PipeWireFault: CaseSamples {
  static var catalogSamples: [(String, PipeWireFault)] {
    [
      ("noLibrary", .noLibrary), ("noServer", .noServer(SystemMessages.notFound)),
      (
        "notAConnection",
        .notAConnection(descriptor: 5, SystemCallError("getsockopt", errno: .invalidArgument))
      ),
      ("notResponding", .notResponding(seconds: 5)), ("noCamera", .noCamera),
      ("noSuchNode", .noSuchNode("42")),
      ("permissionDenied", .permissionDenied("node 42")), ("noFrames", .noFrames(seconds: 5)),
      ("disconnected", .disconnected),
      ("failed", .failed("no more input formats")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .noLibrary, .noServer, .notAConnection, .notResponding, .noCamera, .noSuchNode, .permissionDenied,
      .noFrames,
      .disconnected, .failed:
      true
    }
  }
}

extension StillImageEncodingError: MessageSamples {
  static var catalogSamples: [(String, StillImageEncodingError)] {
    StillImageEncoder.Format.allCases.map { ("", StillImageEncodingError($0, "out of memory")) }
  }
}

extension SoundSourceError.Reason: CaseSamples {
  static var catalogedErrors: [Any.Type] { [SoundSourceError.self] }

  static var catalogSamples: [(String, Self)] {
    [
      ("system", .system(SystemMessages.notFound)), ("stopped", .stopped), ("empty", .empty),
      ("notAFile", .notAFile),
      ("wave", .wave(.malformed)), ("tone", .tone),
      ("layout", .layout(.field(name: "rate", value: 7, expected: "8000 to 192000"))),
      ("microphone", .microphone(.unplugged)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .system, .stopped, .empty, .notAFile, .wave, .tone, .layout, .microphone: true
    }
  }

  var catalogText: String { SoundSourceError("speech.wav", self).description }
}

extension MicrophoneFault: CaseSamples {
  static var catalogSamples: [(String, MicrophoneFault)] {
    [
      ("noSuchDevice", .noSuchDevice("hw:7")), ("permissionDenied", .permissionDenied),
      ("microphoneBusy", .microphoneBusy(holders: [])),
      ("microphoneBusy", .microphoneBusy(holders: DeviceMessages.holders)),
      ("noSupportedFormat", .noSupportedFormat), ("unplugged", .unplugged),
      ("failed", .failed("snd_pcm_readi", "Input/output error")), ("noSound", .noSound(seconds: 5)),
      ("noLibrary", .noLibrary),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .noSuchDevice, .permissionDenied, .microphoneBusy, .noSupportedFormat, .unplugged, .failed, .noSound,
      .noLibrary:
      true
    }
  }
}

extension WaveFault: CaseSamples {
  static var catalogSamples: [(String, WaveFault)] {
    [
      ("notWave", .notWave(firstBytes: [0x4F, 0x67, 0x67, 0x53])), ("malformed", .malformed),
      ("samples", .samples(kind: 3, bits: 32)), ("channels", .channels(12)), ("rate", .rate(7)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .notWave, .malformed, .samples, .channels, .rate: true
    }
  }
}

extension KeyInputError: CaseSamples {
  static var catalogSamples: [(String, KeyInputError)] {
    let path = "/dev/input/event3"
    return [
      ("refused", .refused(path: path, SystemMessages.denied)), ("missing", .missing(path: path)),
      ("notAnInputDevice", .notAnInputDevice(path: "/dev/null")),
      ("noKeys", .noKeys(path: path, name: "Lid Switch")),
      ("noLibrary", .noLibrary), ("system", .system(path: path, SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .refused, .missing, .notAnInputDevice, .noKeys, .noLibrary, .system: true
    }
  }
}
