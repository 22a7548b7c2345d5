// SPDX-License-Identifier: Apache-2.0

internal import CPythonPackage

/// The modules of the Python package `darkroom` for extensions, embedded in the program, so that new apps receive a
/// copy. Programs that host extensions use `darkroom.host`, which extensions do not need.
package enum PythonPackage {
  /// The name of the package, which is also the name of its directory.
  package static let name = "darkroom"

  /// The file names and contents of the modules.
  package static let modules: [(name: String, text: [UInt8])] = {
    var modules: [(name: String, text: [UInt8])] = []
    while true {
      let module = python_module(modules.count)
      guard let name = module.name else { return modules }
      let text = Array(UnsafeBufferPointer(start: module.bytes, count: module.count))
      modules.append((String(cString: name), text))
    }
  }()
}
