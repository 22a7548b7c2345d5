// SPDX-License-Identifier: Apache-2.0

internal import COpenH264
internal import CoreMedia
internal import LockedCameraCapture

/// An encoder of H.264 video: the High profile, in the order of the frames, with OpenH264.
///
/// It encodes on the thread of the caller, starts no thread, and makes no system calls except for memory. It is used
/// on one queue only.
final class H264Encoder {
  /// The width of the frames in pixels.
  let width: Int
  /// The height of the frames in pixels.
  let height: Int
  /// The content of the atom `avcC`: the profile and the parameter sets.
  private(set) var configuration: [UInt8] = []
  private let encoder: UnsafeMutablePointer<ISVCEncoder?>
  /// Whether the next frame must not depend on the frames before it, because the encoder has failed.
  private var needsKeyframe = false

  /// The smallest width and height.
  private static let minimumSize = 16
  /// The maximum number of blocks of 16 by 16 pixels in a frame (H.264, level 5.2).
  private static let maximumBlocks = 36_864
  /// The number of pixels per second that one core encodes in real time: 1920 by 1080 pixels at 30 frames per
  /// second, of which each takes 26 ms of an AMD EPYC with other load. JPEG takes a quarter of this time.
  private static let realTimePixels = 1920.0 * 1080 * 30

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - width: The width of the frames in pixels.
  ///   - height: The height of the frames in pixels.
  ///   - frameRate: The number of frames per second.
  ///   - bitRate: The number of bits per second, or `nil` for a quarter of a bit per pixel.
  /// - Throws: ``AVError``: `encoderNotFound` if the program does not contain the encoder, or if the encoder does not
  ///   support the size of the frames.
  init(width: Int, height: Int, frameRate: Double, bitRate: Int?) throws(AVError) {
    guard Self.supports(width: width, height: height), let encoder = darkroom_openh264_create() else {
      throw AVError(.encoderNotFound)
    }
    (self.width, self.height, self.encoder) = (width, height, encoder)
    let bits = bitRate.map(Double.init) ?? Double(width * height) * frameRate / 4
    guard begin(frameRate: Float(frameRate), bitRate: Int32(min(max(bits, 64_000), 240_000_000))),
      let configuration = parameterSets()
    else { throw AVError(.encoderNotFound) }
    self.configuration = configuration
  }

  deinit {
    _ = functions?.Uninitialize?(encoder)
    WelsDestroySVCEncoder(encoder)
  }

  private var functions: ISVCEncoderVtbl? { encoder.pointee?.pointee }

  /// Returns whether the program contains the encoder, and whether the encoder supports a size of frames in pixels.
  static func supports(width: Int, height: Int) -> Bool {
    // The encoder would leave out the last column or row of an odd size, because its chroma has half the size.
    darkroom_openh264_is_linked() && min(width, height) >= minimumSize && (width | height).isMultiple(of: 2)
      && (width + 15) / 16 * ((height + 15) / 16) <= maximumBlocks
  }

  /// Returns whether one core encodes video of a size in pixels and a frame rate in real time.
  static func isRealTime(width: Int, height: Int, frameRate: Double) -> Bool {
    // A frame rate can be a little above its nominal value.
    Double(width * height) * frameRate <= realTimePixels * 1.01
  }

  // MARK: Settings

  private func begin(frameRate: Float, bitRate: Int32) -> Bool {
    // The encoder would write warnings with addresses to standard error.
    var level = Int32(WELS_LOG_QUIET)
    _ = functions?.SetOption?(encoder, ENCODER_OPTION_TRACE_LEVEL, &level)
    var settings = SEncParamExt()
    guard functions?.GetDefaultParams?(encoder, &settings) == 0 else { return false }
    (settings.iPicWidth, settings.iPicHeight) = (Int32(width), Int32(height))
    (settings.fMaxFrameRate, settings.iTargetBitrate) = (frameRate, bitRate)
    settings.iUsageType = CAMERA_VIDEO_REAL_TIME
    settings.iComplexityMode = LOW_COMPLEXITY
    // Reaches the bit rate on average, and never drops a frame.
    (settings.iRCMode, settings.bEnableFrameSkip) = (RC_BITRATE_MODE, false)
    // The recording requests keyframes; all of them have the parameter sets of the description.
    (settings.uiIntraPeriod, settings.bEnableSceneChangeDetect) = (0, false)
    settings.eSpsPpsIdStrategy = CONSTANT_ID
    settings.iEntropyCodingModeFlag = 1
    settings.iMultipleThreadIdc = 1
    settings.sSpatialLayers.0 = layer(frameRate: frameRate, bitRate: bitRate, settings.sSpatialLayers.0)
    return functions?.InitializeExt?(encoder, &settings) == 0
  }

  private func layer(frameRate: Float, bitRate: Int32, _ defaults: SSpatialLayerConfig) -> SSpatialLayerConfig
  {
    var layer = defaults
    (layer.iVideoWidth, layer.iVideoHeight) = (Int32(width), Int32(height))
    (layer.fFrameRate, layer.iSpatialBitrate) = (frameRate, bitRate)
    layer.uiProfileIdc = PRO_HIGH
    layer.sSliceArgument.uiSliceMode = SM_SINGLE_SLICE
    // The colors of JPEG files (JFIF), which frames have: the full range, the primaries and the curve of sRGB, and
    // the matrix of BT.601.
    (layer.bVideoSignalTypePresent, layer.bFullRange, layer.bColorDescriptionPresent) = (true, true, true)
    layer.uiVideoFormat = UInt8(VF_UNDEF.rawValue)
    layer.uiColorPrimaries = UInt8(CP_BT709.rawValue)
    layer.uiTransferCharacteristics = UInt8(TRC_IEC61966_2_1.rawValue)
    layer.uiColorMatrix = UInt8(CM_SMPTE170M.rawValue)
    return layer
  }

  /// Returns the content of the atom `avcC`, or `nil` if the encoder does not return both parameter sets.
  private func parameterSets() -> [UInt8]? {
    var output = SFrameBSInfo()
    guard functions?.EncodeParameterSets?(encoder, &output) == 0 else { return nil }
    let units = Self.units(output)
    guard let sequence = units.first(where: { Self.type($0) == .sequenceParameters }),
      let picture = units.first(where: { Self.type($0) == .pictureParameters }), sequence.count >= 4
    else { return nil }
    // The version, the profile and the level; lengths have four bytes.
    var bytes: [UInt8] = [1] + sequence[1...3] + [0xFF]
    // One parameter set of each kind.
    bytes += [0xE1] + UInt16(clamping: sequence.count).bytes + sequence
    bytes += [1] + UInt16(clamping: picture.count).bytes + picture
    // 4:2:0 with 8 bits per sample; no extensions of the parameter sets.
    return bytes + [0xFD, 0xF8, 0xF8, 0]
  }

  // MARK: Frames

  /// Encodes a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame, which must not change; a frame with another size than the encoder's is not encoded.
  ///   - isKeyframe: Whether the encoded frame must be decodable without the frames before it.
  ///   - milliseconds: The time of the frame since the start of the recording.
  /// - Returns: The encoded frame, or `nil` if the encoder fails.
  func encode(_ frame: borrowing CaptureFrame, isKeyframe: Bool, milliseconds: Int64) -> EncodedFrame? {
    guard frame.width == width, frame.height == height else { return nil }
    if isKeyframe || needsKeyframe { _ = functions?.ForceIntraFrame?(encoder, true) }
    var output = SFrameBSInfo()
    let result = frame.withPlane(.luma) { luma in
      frame.withPlane(.blue) { blue in
        frame.withPlane(.red) { red in
          luma.withUnsafeBytes { luma in
            blue.withUnsafeBytes { blue in
              red.withUnsafeBytes { red in
                var picture = picture(luma, blue, red, milliseconds: milliseconds)
                let strides = CaptureFrame.Plane.allCases.map { Int32(frame.layout(of: $0).stride) }
                picture.iStride = (strides[0], strides[1], strides[2], 0)
                return functions?.EncodeFrame?(encoder, &picture, &output)
              }
            }
          }
        }
      }
    }
    let bytes = result == 0 ? Self.sample(output) : []
    needsKeyframe = bytes.isEmpty
    return bytes.isEmpty
      ? nil : EncodedFrame(bytes: bytes, isKeyframe: output.eFrameType == videoFrameTypeIDR)
  }

  private func picture(
    _ luma: UnsafeRawBufferPointer,
    _ blue: UnsafeRawBufferPointer,
    _ red: UnsafeRawBufferPointer,
    milliseconds: Int64
  ) -> SSourcePicture {
    var picture = SSourcePicture()
    picture.iColorFormat = Int32(videoFormatI420.rawValue)
    (picture.iPicWidth, picture.iPicHeight) = (Int32(width), Int32(height))
    picture.uiTimeStamp = milliseconds
    // The encoder only reads the planes.
    let planes = [luma, blue, red].map { plane in
      UnsafeMutablePointer(mutating: plane.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }
    picture.pData = (planes[0], planes[1], planes[2], nil)
    return picture
  }

  // MARK: Units

  /// The types of units (H.264, table 7-1) that are in the description of a movie instead of its samples.
  private enum UnitType: UInt8 {
    case sequenceParameters = 7
    case pictureParameters = 8
  }

  private static func type(_ unit: [UInt8]) -> UnitType? {
    unit.first.flatMap { UnitType(rawValue: $0 & 31) }
  }

  /// Returns the units of a sample, each after its length.
  private static func sample(_ output: SFrameBSInfo) -> [UInt8] {
    units(output).filter { type($0) == nil }.flatMap { UInt32($0.count).bytes + $0 }
  }

  /// Returns the units without their start codes.
  private static func units(_ output: SFrameBSInfo) -> [[UInt8]] {
    withUnsafePointer(to: output) { output in
      (0..<output.pointee.iLayerNum).flatMap { units(darkroom_openh264_layer(output, $0).pointee) }
    }
  }

  private static func units(_ layer: SLayerBSInfo) -> [[UInt8]] {
    guard let lengths = layer.pNalLengthInByte, var start = layer.pBsBuf else { return [] }
    return (0..<Int(layer.iNalCount)).map { index in
      defer { start += Int(lengths[index]) }
      let unit = UnsafeBufferPointer(start: start, count: Int(lengths[index]))
      // The start code: zeros and a one.
      return Array(unit.drop { $0 == 0 }.dropFirst())
    }
  }
}
