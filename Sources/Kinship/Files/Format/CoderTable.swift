// A program that imports Kinship names coders and errors of files without another import.
@_exported public import KinshipFiles

/// Finds coders by the names in files.
package enum CoderTable {
  /// The coder that wrote a file: the one that the reader of the file has given, or one of
  /// Kinship's own.
  package static func coder(
    _ name: String, given: (any RecordCoder)?, path: String
  ) throws(KinshipError) -> any RecordCoder {
    let known: [any RecordCoder] = (given.map { [$0] } ?? []) + [CompactCoder(), JSONCoder()]
    guard let coder = known.first(where: { $0.name == name }) else {
      throw .file(.unknownCoder(path: path, name: name))
    }
    return coder
  }
}
