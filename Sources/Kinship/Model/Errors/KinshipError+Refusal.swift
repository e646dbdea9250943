extension KinshipError {
  /// Whether a store says by it that it has changed nothing.
  package var isRefusal: Bool {
    switch self {
    case .fetchFailed, .commitFailed, .committedInPart, .deadlineExceeded, .fileFailed, .damaged:
      false
    default: true
    }
  }
}
