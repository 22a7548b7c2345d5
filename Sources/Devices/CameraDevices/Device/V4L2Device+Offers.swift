// SPDX-License-Identifier: Apache-2.0

internal import CV4L2
internal import CameraSource
package import LinuxPrimitives

extension V4L2Device {
  /// The maximum number of entries that are read of a list, because a faulty driver could return entries
  /// forever.
  private static let maximumEntries: UInt32 = 256

  package func formats() -> [CameraFormat] {
    entries { index in
      var found = v4l2_fmtdesc()
      found.index = index
      found.type = type
      guard (try? request(darkroom_vidioc_enum_fmt, &found)) != nil else { return nil }
      let pixels = PixelFormat(code: found.pixelformat)
      return CameraFormat(pixels, title: Self.text(found.description), sizes: sizes(of: pixels))
    }
  }

  /// Returns the sizes of a format. For a driver that lists none, the active size is returned.
  private func sizes(of pixels: PixelFormat) -> CameraSizes {
    var range: CameraSizes?
    let listed: [CameraSize] = entries { index in
      var found = v4l2_frmsizeenum()
      found.index = index
      found.pixel_format = pixels.code
      guard range == nil, (try? request(darkroom_vidioc_enum_framesizes, &found)) != nil else { return nil }
      guard found.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
        range = self.range(found.stepwise, pixels)
        return nil
      }
      return size(Int(found.discrete.width), Int(found.discrete.height), pixels)
    }
    if let range { return range }
    if listed.isEmpty, let now = try? activeFormat() {
      return .listed([CameraSize(width: now.width, height: now.height, rates: rate().map { [$0] } ?? [])])
    }
    return .listed(listed)
  }

  /// Returns a range of sizes.
  private func range(_ found: v4l2_frmsize_stepwise, _ pixels: PixelFormat) -> CameraSizes {
    .range(
      from: size(Int(found.min_width), Int(found.min_height), pixels),
      to: size(Int(found.max_width), Int(found.max_height), pixels),
      widthStep: max(1, Int(found.step_width)),
      heightStep: max(1, Int(found.step_height))
    )
  }

  /// Returns a size with its rates.
  private func size(_ width: Int, _ height: Int, _ pixels: PixelFormat) -> CameraSize {
    var isRange = false
    var ends: [FrameRate] = []
    let rates: [FrameRate] = entries { index in
      var found = v4l2_frmivalenum()
      found.index = index
      found.pixel_format = pixels.code
      found.width = UInt32(width)
      found.height = UInt32(height)
      guard !isRange, (try? request(darkroom_vidioc_enum_frameintervals, &found)) != nil else { return nil }
      if found.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue { return FrameRate(interval: found.discrete) }
      isRange = true
      ends = [FrameRate(interval: found.stepwise.max), FrameRate(interval: found.stepwise.min)].compactMap(
        \.self
      )
      return nil
    }
    return CameraSize(width: width, height: height, rates: isRange ? ends : rates)
  }

  /// Returns the entries of one of the kernel's lists, up to the first that does not exist.
  private func entries<Entry>(_ entry: (UInt32) -> Entry?) -> [Entry] {
    var found: [Entry] = []
    for index in 0..<Self.maximumEntries {
      guard let next = entry(index) else { break }
      found.append(next)
    }
    return found
  }
}

// MARK: - Controls

extension V4L2Device {
  package func controls() -> [DeviceControl] {
    var found = v4l2_queryctrl()
    var controls: [DeviceControl] = []
    let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    found.id = next
    // The kernel returns the control after the given one, so that the IDs only increase.
    while controls.count < Int(Self.maximumEntries), (try? request(darkroom_vidioc_queryctrl, &found)) != nil
    {
      let id = found.id
      if let control = control(found) { controls.append(control) }
      found = v4l2_queryctrl()
      found.id = id | next
    }
    return controls
  }

  package func control(_ number: UInt32) -> DeviceControl? {
    var found = v4l2_queryctrl()
    found.id = number
    guard (try? request(darkroom_vidioc_queryctrl, &found)) != nil else { return nil }
    return control(found)
  }

  /// Returns a control with its value, or `nil` if it is disabled or has no integer values.
  private func control(_ found: v4l2_queryctrl) -> DeviceControl? {
    let kind: DeviceControl.Kind
    switch found.type {
    case V4L2_CTRL_TYPE_INTEGER.rawValue: kind = .integer
    case V4L2_CTRL_TYPE_BOOLEAN.rawValue: kind = .boolean
    case V4L2_CTRL_TYPE_MENU.rawValue, V4L2_CTRL_TYPE_INTEGER_MENU.rawValue: kind = .menu
    default: return nil
    }
    guard found.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0 else { return nil }
    var value = v4l2_control(id: found.id, value: 0)
    let isRead = (try? request(darkroom_vidioc_g_ctrl, &value)) != nil
    let access: DeviceControl.Access =
      if found.flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0 {
        .readOnly
      } else if found.flags & UInt32(V4L2_CTRL_FLAG_INACTIVE | V4L2_CTRL_FLAG_GRABBED) != 0 {
        .inactive
      } else {
        .adjustable
      }
    return DeviceControl(
      id: found.id,
      title: Self.text(found.name),
      kind: kind,
      from: Int(found.minimum),
      to: Int(found.maximum),
      step: Int(found.step),
      standard: Int(found.default_value),
      value: isRead ? Int(value.value) : nil,
      access: access,
      entries: found.type == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue ? entries(of: found) : []
    )
  }

  /// Returns the values of an integer menu. Drivers can leave out entries.
  private func entries(of control: v4l2_queryctrl) -> [DeviceControl.Entry] {
    guard control.minimum >= 0, control.minimum <= control.maximum else { return [] }
    return (control.minimum...control.maximum).prefix(Int(Self.maximumEntries)).compactMap { index in
      var value: Int64 = 0
      guard darkroom_v4l2_menu_value(descriptor, control.id, UInt32(index), &value) == 0 else { return nil }
      return Int32(exactly: value).map { DeviceControl.Entry(Int(index), Int($0)) }
    }
  }

  package func set(_ control: UInt32, to value: Int) throws(SystemCallError) {
    guard let value = Int32(exactly: value) else {
      throw SystemCallError("ioctl", errno: .invalidArgument)
    }
    var wanted = v4l2_control(id: control, value: value)
    try request(darkroom_vidioc_s_ctrl, &wanted)
  }
}
