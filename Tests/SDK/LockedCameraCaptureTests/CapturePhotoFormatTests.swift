// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import LockedCameraCapture
import SwiftUI
import Testing

/// The formats of photos.
extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct CapturePhotoFormatTests {
    /// The pixel format of photos with colors.
    private static let colors = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]

    /// Takes a photo of a gray frame.
    private func photo(_ settings: AVCapturePhotoSettings) async throws -> PhotoRecorder {
      let recorder = PhotoRecorder()
      var session: AVCaptureSession?
      try await runAsyncSession { host in
        try host.start()
        try host.startCamera()
        try host.publish(luma: 77)
        recorder.waitUntilFinished()
        try host.dismiss()
      } extension: { _ in
        let output = AVCapturePhotoOutput()
        session = try CaptureGraphTests.captureSession(output)
        session?.startRunning()
        output.capturePhoto(with: settings, delegate: recorder)
      }
      #expect(session?.isRunning == false)
      return recorder
    }

    @Test func `writes pixels as a TIFF file without loss`() async throws {
      let recorder = try await photo(
        AVCapturePhotoSettings(
          rawPixelFormatType: 0,
          rawFileType: nil,
          processedFormat: Self.colors,
          processedFileType: .tif
        )
      )
      let file = try #require(recorder.file)
      #expect(file.starts(with: Array("MM\0*".utf8)))
      #expect(file.suffix(3 * 34 * 17) == Data(repeating: 77, count: 3 * 34 * 17))
      #expect(recorder.photo?.pixelBuffer != nil && recorder.photo?.isRawPhoto == false)
    }

    @Test func `returns an image that becomes a PNG file without loss`() async throws {
      let recorder = try await photo(AVCapturePhotoSettings())
      #expect(recorder.file?.starts(with: [0xFF, 0xD8]) == true)
      let image = try #require(recorder.photo?.cgImageRepresentation())
      #expect(image.width == 34 && image.height == 17 && image.bitsPerPixel == 32)
      let png = try #require(UIImage(cgImage: image).pngData())
      #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      let decoded = try #require(UIImage(data: png)?.cgImage)
      #expect(decoded.pixels == image.pixels)
      #expect(Array(decoded.pixels.components.prefix(8)) == [77, 77, 77, 255, 77, 77, 77, 255])
    }

    @Test func `lists the formats of each type of file, of which none has raw data`() {
      let output = AVCapturePhotoOutput()
      #expect(output.availablePhotoFileTypes == [.jpg, .tif])
      #expect(
        output.supportedPhotoCodecTypes(for: .jpg) == [.jpeg]
          && output.supportedPhotoCodecTypes(for: .tif) == []
      )
      #expect(output.supportedPhotoPixelFormatTypes(for: .tif) == output.availablePhotoPixelFormatTypes)
      #expect(output.supportedPhotoPixelFormatTypes(for: .jpg) == [])
      #expect(output.availableRawPhotoPixelFormatTypes == [] && output.availableRawPhotoFileTypes == [])
      #expect(output.supportedRawPhotoPixelFormatTypes(for: .dng) == [])
      // The code of Apple's format `rgg4`.
      #expect(AVCapturePhotoOutput.isBayerRAWPixelFormat(0x7267_6734))
      #expect(!AVCapturePhotoOutput.isBayerRAWPixelFormat(kCVPixelFormatType_32BGRA))
    }

    /// A request for raw data only, for a codec in a TIFF file, and for pixels in a JPEG file.
    nonisolated private static let unsupported: [@Sendable () -> AVCapturePhotoSettings] = [
      { AVCapturePhotoSettings(rawPixelFormatType: 0x7267_6734) },
      {
        AVCapturePhotoSettings(
          rawPixelFormatType: 0,
          rawFileType: nil,
          processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg],
          processedFileType: .tif
        )
      },
      {
        AVCapturePhotoSettings(
          rawPixelFormatType: 0,
          rawFileType: nil,
          processedFormat: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA],
          processedFileType: .jpg
        )
      },
    ]

    @Test(arguments: 0..<3)
    func `passes an error for formats that the output does not support`(index: Int) async throws {
      let recorder = try await photo(AVCapturePhotoSettings(from: Self.unsupported[index]()))
      #expect(recorder.calls.suffix(2) == ["photo encoderNotFound", "finish encoderNotFound"])
      #expect(recorder.file == nil && recorder.photo?.cgImageRepresentation() == nil)
    }

    @Test func `delivers the processed file of a request with raw data`() async throws {
      let recorder = try await photo(
        AVCapturePhotoSettings(
          rawPixelFormatType: 0x7267_6734,
          processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg]
        )
      )
      #expect(recorder.calls.last == "finish nil" && recorder.file?.starts(with: [0xFF, 0xD8]) == true)
    }
  }
}
