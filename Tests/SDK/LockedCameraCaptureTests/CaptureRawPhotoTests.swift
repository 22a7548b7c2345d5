// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import ExtensionProtocol
import LockedCameraCapture
import Testing

/// Photos with the samples of a sensor.
extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct CaptureRawPhotoTests {
    private static let jpeg = [AVVideoCodecKey: AVVideoCodecType.jpeg]

    /// Takes a photo with a camera whose frames have 10-bit samples. The closure receives the raw pixel format of the output.
    private func photo(_ settings: @escaping (OSType) -> AVCapturePhotoSettings) async throws -> PhotoRecorder
    {
      let recorder = PhotoRecorder()
      var session: AVCaptureSession?
      try await runAsyncSession(raw: true) { host in
        try host.start(FakeHost.sessionStart(raw: BayerFormat(code: "RG10")))
        try host.startCamera()
        try host.publish(luma: 77)
        recorder.waitUntilFinished()
        try host.dismiss()
      } extension: { _ in
        let output = AVCapturePhotoOutput()
        #expect(output.availableRawPhotoPixelFormatTypes == [])
        session = try CaptureGraphTests.captureSession(output)
        #expect(output.availableRawPhotoPixelFormatTypes == [kCVPixelFormatType_14Bayer_RGGB])
        #expect(output.availableRawPhotoFileTypes == [.dng])
        #expect(output.supportedRawPhotoPixelFormatTypes(for: .dng) == [kCVPixelFormatType_14Bayer_RGGB])
        session?.startRunning()
        output.capturePhoto(with: settings(output.availableRawPhotoPixelFormatTypes[0]), delegate: recorder)
      }
      #expect(session?.isRunning == false)
      return recorder
    }

    @Test func `delivers the samples of the sensor before the processed photo`() async throws {
      let recorder = try await photo {
        AVCapturePhotoSettings(rawPixelFormatType: $0, processedFormat: Self.jpeg)
      }
      #expect(recorder.calls == ["begin 34x17", "will", "did", "photo", "photo", "finish nil"])
      #expect(recorder.file?.starts(with: [0xFF, 0xD8]) == true)
      #expect(recorder.photo?.photoCount == 2 && recorder.photo?.resolvedSettings.expectedPhotoCount == 2)
      let raw = try #require(recorder.rawPhoto)
      #expect(raw.photoCount == 1 && raw.resolvedSettings.rawPhotoDimensions.width == 34)
      #expect(raw.fileDataRepresentation()?.starts(with: Array("MM\0*".utf8)) == true)
      #expect(raw.cgImageRepresentation() == nil)
    }

    @Test func `delivers only the samples of the sensor as a buffer of 14 bits`() async throws {
      let recorder = try await photo { AVCapturePhotoSettings(rawPixelFormatType: $0) }
      #expect(recorder.calls == ["begin 0x0", "will", "did", "photo", "finish nil"])
      let buffer = try #require(recorder.rawPhoto?.pixelBuffer)
      #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_14Bayer_RGGB)
      let (base, rowBytes) = (CVPixelBufferGetBaseAddress(buffer), CVPixelBufferGetBytesPerRow(buffer))
      let address = try #require(base)
      let samples = (0..<34 * 17).map { index in
        address.load(fromByteOffset: index / 34 * rowBytes + index % 34 * 2, as: UInt16.self)
      }
      #expect(samples == FakeHost.rawSamples.map { $0 << 4 })
    }

    @Test func `reports an error for a file of another type than DNG`() async throws {
      let recorder = try await photo {
        AVCapturePhotoSettings(
          rawPixelFormatType: $0,
          rawFileType: .tif,
          processedFormat: nil,
          processedFileType: nil
        )
      }
      #expect(recorder.calls.suffix(2) == ["photo encoderNotFound", "finish encoderNotFound"])
    }
  }
}
