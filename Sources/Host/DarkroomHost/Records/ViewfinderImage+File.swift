// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

extension ViewfinderImage {
  /// Returns a memory file with the bytes of the image, for another process. The file cannot be changed.
  package func makeFile() throws(HostError) -> HeldDescriptor {
    do throws(SystemCallError) {
      return HeldDescriptor(try MemoryFile.makeSealed(name: "darkroom-image", bytes: bytes))
    } catch { throw HostError(error) }
  }
}
