extension KinshipError {
  /// A failure of a file.
  public enum FileFailure: Sendable {
    /// A file or directory could not be read or written.
    case failed(path: String, cause: any Error)
    /// Bytes of a file differ from the ones that were written.
    case damaged(FileDamage)
    /// A file is larger than the limit; both in bytes.
    case tooLarge(path: String, size: Int, limit: Int)
    /// A file is of another kind than expected: not a snapshot, for example.
    case foreign(path: String)
    /// A file was written in a form that only a later version of Kinship knows.
    case newerFormat(path: String, version: Int, known: Int)
    /// A file was written with a coder that is not available.
    case unknownCoder(path: String, name: String)
    /// A file has records of a version of their type that only a later version of the program
    /// knows.
    case newerVersion(type: String, version: Int, known: Int)
    /// The store in a directory is already open, most often in another process.
    case inUse(path: String)
  }
}

extension KinshipError.FileFailure: CustomStringConvertible {
  /// The failure in a sentence.
  public var description: String {
    switch self {
    case .failed(let path, let cause):
      Self.failure(of: path, cause.sentences)
    case .damaged(let damage):
      "\(damage) Restore a backup, or keep what is intact with `damage: .salvage`."
    case .tooLarge(let path, let size, let limit):
      "\(path) has \(size) bytes, and at most \(limit) are allowed. Raise the limit, or write less "
        + "at once."
    case .foreign(let path):
      "\(path) is not a file of the expected kind. Check the path."
    case .newerFormat(let path, let version, let known):
      "\(path) has format \(version), and this program knows formats up to \(known). Update the "
        + "program."
    case .unknownCoder(let path, let name):
      "\(path) was written with the coder “\(name)”, which this program was not given. Pass that "
        + "coder as `coder`."
    case .newerVersion(let type, let version, let known):
      "\(type) has version \(version) in the file, and this program knows versions up to \(known). "
        + "Update the program."
    case .inUse(let path):
      "The store at \(path) is open elsewhere. Close it there first, or open it here for reading."
    }
  }

  /// The failure of a file with its path, which most causes name themselves.
  private static func failure(of path: String, _ cause: String) -> String {
    let isNamed = cause.contains("\(path):") || cause.contains("\(path)/")
    return isNamed ? cause : "\(path) cannot be used: \(cause)"
  }
}
