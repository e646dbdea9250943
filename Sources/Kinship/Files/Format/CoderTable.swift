/// Finds coders by the names in files.
package enum CoderTable {
  /// The coder that wrote a file.
  ///
  /// - Parameters:
  ///   - name: The name in the file.
  ///   - given: The coder that the reader of the file has passed.
  ///   - path: The file's path.
  /// - Returns: The coder.
  /// - Throws: `KinshipError.unknownCoder`.
  package static func coder(
    _ name: String, given: (any RecordCoder)?, path: String
  ) throws(KinshipError) -> any RecordCoder {
    let known: [any RecordCoder] = (given.map { [$0] } ?? []) + [CompactCoder(), JSONCoder()]
    guard let coder = known.first(where: { $0.name == name }) else {
      throw .unknownCoder(path: path, name: name)
    }
    return coder
  }
}
