import Kinship

/// An error that may be the fault of what was stored, rather than of the way to it.
protocol DataError: Error {
  /// Whether what was stored is damaged, or not what it should be.
  var isOfData: Bool { get }
}

extension KinshipError: DataError {
  var isOfData: Bool {
    switch self {
    case .damaged, .untranslatable, .missing, .unexpectedRecord, .identityChanged, .foreignFile,
      .newerFormat, .newerVersion, .noMigration, .unknownCoder, .unknownType:
      true
    case .fetchFailed(_, _, let cause): (cause as? any DataError)?.isOfData == true
    default: false
    }
  }
}
