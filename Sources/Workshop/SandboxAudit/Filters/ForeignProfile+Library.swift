// SPDX-License-Identifier: Apache-2.0

package import PolicyInterchange

extension ForeignProfile {
  /// Parses a file with the libseccomp of this machine. A minijail policy includes the files that it names.
  ///
  /// `filter` is the compiled filter that a bwrap(1) command line loads, or `nil` if it loads none.
  package init(
    _ contents: [UInt8],
    as format: InterchangeFormat,
    filter: [UInt8]? = nil
  ) throws(InterchangeError) {
    switch format {
    case .bwrap: try self.init(bubblewrap: contents, filter: filter)
    case .oci, .bpf, .minijail, .systemd:
      try self.init(contents, as: format, merging: .libseccomp, including: FilterSource.text(ofIncluded:))
    }
  }
}
