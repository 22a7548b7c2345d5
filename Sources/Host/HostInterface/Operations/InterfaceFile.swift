// SPDX-License-Identifier: Apache-2.0

internal import CInterfaceFiles

/// The descriptions of the interfaces, embedded in the program.
package enum InterfaceFile {
  /// Returns the content of the file with this name, which must be embedded.
  package static func content(_ name: String) -> [UInt8] {
    let file = interface_file(name)
    precondition(file.bytes != nil, "\(name) is not embedded")
    return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}
