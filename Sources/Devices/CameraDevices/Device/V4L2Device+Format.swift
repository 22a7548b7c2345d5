// SPDX-License-Identifier: Apache-2.0

internal import CV4L2
package import CameraSource
package import LinuxPrimitives

extension V4L2Device {
  package func activeFormat() throws(SystemCallError) -> ActiveCameraFormat {
    var format = emptyFormat
    try request(darkroom_vidioc_g_fmt, &format)
    return makeActiveFormat(format)
  }

  package func setActiveFormat(_ picture: ActiveCameraFormat) throws(SystemCallError) -> ActiveCameraFormat {
    var format = emptyFormat
    if isPlanar {
      // The driver determines the number and the sizes of the planes.
      format.fmt.pix_mp.pixelformat = picture.pixels.code
      format.fmt.pix_mp.width = UInt32(picture.width)
      format.fmt.pix_mp.height = UInt32(picture.height)
      format.fmt.pix_mp.field = V4L2_FIELD_NONE.rawValue
    } else {
      format.fmt.pix.pixelformat = picture.pixels.code
      format.fmt.pix.width = UInt32(picture.width)
      format.fmt.pix.height = UInt32(picture.height)
      format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    }
    try request(darkroom_vidioc_s_fmt, &format)
    return makeActiveFormat(format)
  }

  /// Returns the active format of the device, as a single plane if the planes are gathered, and stores the
  /// layout.
  private func makeActiveFormat(_ format: v4l2_format) -> ActiveCameraFormat {
    guard isPlanar else {
      let found = format.fmt.pix
      return ActiveCameraFormat(
        PixelFormat(code: found.pixelformat),
        width: Int(found.width),
        height: Int(found.height),
        stride: Int(found.bytesperline),
        bytes: Int(found.sizeimage),
        quantization: found.quantization,
        colorspace: found.colorspace
      )
    }
    let found = format.fmt.pix_mp
    let planes = withUnsafeBytes(of: found.plane_fmt) { Array($0.bindMemory(to: v4l2_plane_pix_format.self)) }
    let (width, height) = (Int(found.width), Int(found.height))
    let own = PixelFormat(code: found.pixelformat)
    let strides = planes.prefix(Int(found.num_planes)).map { Int($0.bytesperline) }
    layout = PlanarLayout(own, width: width, height: height, strides: strides)
    return ActiveCameraFormat(
      layout?.pixels ?? own,
      width: width,
      height: height,
      stride: layout == nil ? strides.first ?? 0 : width,
      bytes: layout?.bytes ?? planes.first.map { Int($0.sizeimage) } ?? 0,
      quantization: UInt32(found.quantization),
      colorspace: found.colorspace
    )
  }

  package func rate() -> FrameRate? {
    var parameters = emptyParameters
    guard (try? request(darkroom_vidioc_g_parm, &parameters)) != nil else { return nil }
    return FrameRate(interval: parameters.parm.capture.timeperframe)
  }

  package func setRate(_ rate: FrameRate) throws(SystemCallError) -> FrameRate? {
    var parameters = emptyParameters
    guard (try? request(darkroom_vidioc_g_parm, &parameters)) != nil,
      parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
    else { return nil }
    parameters.parm.capture.timeperframe = v4l2_fract(
      numerator: rate.denominator,
      denominator: rate.numerator
    )
    try request(darkroom_vidioc_s_parm, &parameters)
    return FrameRate(interval: parameters.parm.capture.timeperframe)
  }

  /// An otherwise empty format of this device's buffer type.
  private var emptyFormat: v4l2_format {
    var format = v4l2_format()
    format.type = type
    return format
  }

  /// Otherwise empty parameters of this device's buffer type.
  private var emptyParameters: v4l2_streamparm {
    var parameters = v4l2_streamparm()
    parameters.type = type
    return parameters
  }
}

extension ActiveCameraFormat {
  /// Creates a format from the kernel's values. `quantization` and `colorspace` determine the color range.
  fileprivate init(
    _ pixels: PixelFormat,
    width: Int,
    height: Int,
    stride: Int,
    bytes: Int,
    quantization: UInt32,
    colorspace: UInt32
  ) {
    let range: ColorRange
    switch quantization {
    case V4L2_QUANTIZATION_FULL_RANGE.rawValue: range = pixels.isRGB ? .limited : .full
    case V4L2_QUANTIZATION_LIM_RANGE.rawValue: range = .limited
    default:
      // The defaults of `V4L2_MAP_QUANTIZATION_DEFAULT`. libv4lconvert converts RGB to the limited range.
      let isJPEG = pixels.isCompressed || colorspace == V4L2_COLORSPACE_JPEG.rawValue
      range = isJPEG && !pixels.isRGB ? .full : .limited
    }
    self.init(pixels, width: width, height: height, stride: stride, bytes: bytes, range: range)
  }
}

extension FrameRate {
  /// Creates the rate of a frame interval, or returns `nil` if the interval is invalid.
  init?(interval: v4l2_fract) { self.init(Int(interval.denominator), Int(interval.numerator)) }
}
