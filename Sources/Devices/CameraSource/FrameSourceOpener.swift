// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// Opens frame sources from the text of a command-line argument.
package enum FrameSourceOpener {
  /// The specification of standard input.
  package static let dash = "-"
  /// The specification of the test pattern, alone or before a colon.
  package static let pattern = "pattern"

  /// Opens a source.
  ///
  /// - Parameters:
  ///   - specification: A path; `-` for standard input; `pattern`, `pattern:640x480` or
  ///     `pattern:640x480@30000/1001`. A file named `pattern` is specified as `./pattern`. The first bytes of
  ///     a file determine its format, never its name.
  ///   - stillRate: The frame rate of a still image.
  ///   - standardInput: The descriptor to read for `-`. It is duplicated, and its flags are not changed.
  ///   - stop: The signal that ends the wait for the first bytes of a pipe.
  /// - Returns: The source, with its header read or its image decoded.
  /// - Throws: The reason why the source has no frames, with the name of the source.
  package static func open(
    _ specification: String,
    stillRate: FrameRate = .standard,
    standardInput: Int32 = 0,
    stop: StopSignal
  ) throws(FrameSourceError) -> sending any FrameSource {
    if specification == pattern || specification.hasPrefix("\(pattern):") {
      return try TestPatternSource(patternGeometry(specification))
    }
    let descriptor: Descriptor
    do {
      // Without `O_NONBLOCK`, open(2) of a FIFO that has no writer would block, and a stop signal could not
      // interrupt it.
      descriptor =
        specification == dash
        ? try Descriptor.duplicate(of: standardInput)
        : try FileSystem.open(specification, [.read, .nonBlocking])
    } catch {
      throw FrameSourceError(specification, .system(error))
    }
    let name = specification == dash ? "standard input" : specification
    return try open(descriptor, name: name, stillRate: stillRate, stop: stop)
  }

  /// Creates a source from an open file.
  package static func open(
    _ descriptor: consuming Descriptor,
    name: String,
    stillRate: FrameRate = .standard,
    stop: StopSignal
  ) throws(FrameSourceError) -> sending any FrameSource {
    let stream = try ByteStream(descriptor, name: name)
    let first = Array(try stream.peek(Y4MHeader.magic.utf8.count, stop: stop))
    if first.isEmpty { throw FrameSourceError(name, .empty) }
    if first == Array(Y4MHeader.magic.utf8) { return try Y4MSource(stream, stop: stop) }
    guard let format = pictureFormat(first) else {
      throw FrameSourceError(name, .unknownFormat(firstBytes: first))
    }
    let limit = StillImageSource.maximumFileBytes
    guard let file = try stream.readRest(limit: limit, stop: stop) else {
      throw FrameSourceError(name, .fileTooLarge(limit: limit))
    }
    return try StillImageSource(file, format: format, name: name, frameRate: stillRate)
  }

  /// Returns the image format that begins with the given bytes, or `nil` if it is unknown.
  private static func pictureFormat(_ first: [UInt8]) -> ImageFormat? {
    if first.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if first.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    return nil
  }

  /// Parses `pattern:640x480@30000/1001`. The defaults are 640, 480 and 30.
  private static func patternGeometry(_ text: String) throws(FrameSourceError) -> FrameGeometry {
    func fail(_ fault: PatternFault) -> FrameSourceError { FrameSourceError(text, .pattern(fault)) }
    if text == pattern { return FrameGeometry(width: 640, height: 480) }
    let parts = text.dropFirst(pattern.count + 1).split(separator: "@", omittingEmptySubsequences: false)
    let size = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count <= 2, size.count == 2, let width = size[0], let height = size[1] else {
      throw fail(.syntax)
    }
    guard parts.count == 2 else { return FrameGeometry(width: width, height: height) }
    let rate = parts[1].split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard rate.count <= 2, let top = rate[0], let bottom = rate.count == 2 ? rate[1] : 1 else {
      throw fail(.syntax)
    }
    guard let frameRate = FrameRate(top, bottom) else { throw fail(.rate) }
    return FrameGeometry(width: width, height: height, frameRate: frameRate)
  }
}
