// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives

/// Checks that a file is complete, by the structure of its format. Files of unknown formats pass.
package enum FileIntegrityCheck {
  /// The kind of a file, by how it is written.
  package enum Kind: Sendable {
    /// A single item, which can be written under a temporary name until it is complete.
    case still
    /// A video, which grows under its final name and ends with a complete frame.
    case video
  }

  /// The maximum size of a file that is checked, in bytes.
  private static let limit = 64 << 20

  /// The end of every PNG file: the name and the checksum of its last chunk, which is empty.
  private static let pngEnd: [UInt8] = [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

  /// Returns the kind of a file by its name, or `nil` if the format is unknown.
  package static func kind(of name: String) -> Kind? {
    switch name.split(separator: ".").last.map({ $0.lowercased() }) {
    case "jpg", "jpeg", "png", "pgm", "ppm", "json": .still
    case "y4m": .video
    default: nil
    }
  }

  /// Returns a description of the missing part of a file, or `nil` if nothing missing was detected.
  package static func fault(of path: String) -> String? {
    guard let bytes = try? FileSystem.contents(path, limit: limit) else { return nil }
    switch path.split(separator: ".").last.map({ $0.lowercased() }) {
    case "jpg", "jpeg": return imageFault(path)
    // The decoder accepts an image whose last chunk is truncated.
    case "png":
      return imageFault(path)
        ?? (ByteSearch.first(pngEnd, in: bytes) == nil ? "the end of the file is missing" : nil)
    case "pgm", "ppm": return anymapFault(bytes)
    case "json":
      do throws(JSONSyntaxError) {
        _ = try JSONNode.parse(bytes, limits: JSONLimits(bytes: limit, depth: 64))
      } catch {
        return "not valid JSON: \(error)"
      }
      return nil
    case "y4m": return videoFault(path)
    default: return nil
    }
  }

  /// Checks an image by decoding it. An image that this machine cannot decode passes.
  private static func imageFault(_ path: String) -> String? {
    guard let stop = try? StopSignal() else { return nil }
    do throws(FrameSourceError) { _ = try FrameSourceOpener.open(path, stop: stop) } catch {
      switch error.reason {
      case .undecodable, .empty, .unknownFormat: return "\(error.reason)"
      default: return nil
      }
    }
    return nil
  }

  /// Checks that a video consists of complete frames.
  private static func videoFault(_ path: String) -> String? {
    guard let stop = try? StopSignal() else { return nil }
    do throws(FrameSourceError) {
      let source = try FrameSourceOpener.open(path, stop: stop)
      guard let layout = try? source.geometry.ringGeometry() else { return nil }
      let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.slotStride, alignment: 64)
      defer { slot.deallocate() }
      while try source.next(into: slot, layout: layout, stop: stop) == .frame {}
    } catch {
      switch error.reason {
      case .stream(.headerTruncated, _), .stream(.frameTruncated, _), .empty: return "\(error.reason)"
      default: return nil
      }
    }
    return nil
  }

  /// Checks a pgm(5) or ppm(5) file, whose header determines the number of bytes after it.
  private static func anymapFault(_ bytes: [UInt8]) -> String? {
    var (numbers, place, isComment): ([Int], Int, Bool) = ([], 2, false)
    var digits = ""
    guard bytes.count > 2, bytes[0] == UInt8(ascii: "P"),
      [UInt8(ascii: "5"), UInt8(ascii: "6")].contains(bytes[1])
    else { return bytes.isEmpty ? "the file is empty" : nil }
    while numbers.count < 3, place < bytes.count {
      let character = Character(UnicodeScalar(bytes[place]))
      place += 1
      if isComment {
        isComment = character != "\n"
      } else if character == "#" {
        isComment = true
      } else if character.isWhitespace {
        if let number = Int(digits) { numbers.append(number) }
        digits = ""
      } else {
        digits.append(character)
      }
    }
    guard numbers.count == 3 else { return "the header is incomplete" }
    let samples = numbers[0].multipliedReportingOverflow(by: numbers[1]).partialValue
    let size = (bytes[1] == UInt8(ascii: "6") ? 3 : 1) * (numbers[2] > 255 ? 2 : 1)
    let needed = samples.multipliedReportingOverflow(by: size).partialValue
    return bytes.count - place < needed ? "\(bytes.count - place) of \(needed) bytes of pixels" : nil
  }
}
